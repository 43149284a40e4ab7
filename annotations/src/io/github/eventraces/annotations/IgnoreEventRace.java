package io.github.eventraces.annotations;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Accepts the event-based races of one rule at one place: eventraces goes on finding them, lists
 * them as accepted, and does not fail for them.
 *
 * <p>On a field, it accepts every race on that field. On a method or constructor, it accepts every
 * race that has one of its two accesses in it, or in a lambda or class that stands in it. On a
 * type, it accepts every race that has one of its two accesses in the type or in what is nested in
 * it, or that is on a field which the type declares.
 *
 * <p>An annotation that accepts no race is reported, so that none outlives its reason.
 *
 * <pre>{@code
 * @IgnoreEventRace(rule = "stale-read", because = "the title is shown again on each click")
 * private int unread;
 * }</pre>
 *
 * <p>The annotation does nothing when the app runs.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.FIELD, ElementType.METHOD, ElementType.CONSTRUCTOR, ElementType.TYPE})
@Repeatable(IgnoreEventRaces.class)
public @interface IgnoreEventRace {
    /** The rule whose races are accepted, such as {@code use-after-free}. */
    String rule();

    /** Why they do no harm, in a sentence. Without a reason the annotation accepts nothing. */
    String because();
}
