package main

import "strings"

// modules are the parts of the JDK that Android has packages of.
var modules = []string{"java.base", "java.logging", "java.prefs", "java.sql", "java.desktop"}

// roots are the packages of the platform that apps can use; anything else is
// read only where it is a supertype.
var roots = []string{
	"android.", "dalvik.", "java.", "javax.", "org.json.", "org.xml.", "org.w3c.", "org.xmlpull.", "org.apache.http.",
}

// internals are packages below the roots that hold no public API.
var internals = []string{
	"android.adservices.", "android.annotation.", "android.app.backup.internal.", "android.audio.", "android.car.",
	"android.compat.", "android.crashrecovery.", "android.ext.", "android.federatedcompute.", "android.filterfw.",
	"android.filterpacks.", "android.hidl.", "android.internal.", "android.ondevicepersonalization.", "android.os.flagging.",
	"android.providers.", "android.safetycenter.", "android.service.oemlock.", "android.stats.", "android.sysprop.",
	"android.tracing.", "android.uwb.",
	"android.hardware.contexthub.", "android.hardware.hdmi.", "android.hardware.radio.", "android.hardware.soundtrigger.",
	"android.hardware.tv.", "android.hardware.fingerprint.HidlFingerprintSensorConfig", "android.hardware.graphics.",
	"android.hardware.biometrics.common.", "android.hardware.biometrics.face.", "android.hardware.biometrics.fingerprint.",
	"android.gsi.", "android.icu.impl.", "android.permission.", "android.os.incremental.", "android.os.connectivity.",
	"android.service.ambientcontext.", "android.service.attention.", "android.service.cloudsearch.", "android.service.gatekeeper.",
	"android.service.persistentdata.", "android.service.rotationresolver.", "android.service.resumeonreboot.", "android.service.smartspace.",
	"android.app.ambientcontext.", "android.app.cloudsearch.", "android.app.smartspace.", "android.app.timezonedetector.",
	"android.app.time.", "android.app.trust.", "android.net.connectivity.", "android.net.dhcp.", "android.net.ip.", "android.net.shared.",
	"android.net.metrics.", "android.net.netlink.", "android.net.networkstack.", "android.security.keystore2.", "android.security.maintenance.",
	"android.security.metrics.", "android.system.keystore2.", "android.system.virtual", "android.media.tv.tuner.", "android.media.soundtrigger",
	"java.lang.module.", "javax.accessibility.", "javax.imageio.", "javax.print.", "javax.sound.", "javax.swing.",
}

// wanted tells whether a class is read at all.
func wanted(name string) bool {
	return !strings.HasSuffix(name, "module-info") && !strings.HasSuffix(name, "package-info")
}

// exported tells whether a class is of a package with public API.
func exported(name string) bool {
	ok := false
	for _, r := range roots {
		ok = ok || strings.HasPrefix(name, r)
	}
	if strings.HasPrefix(name, "java.awt.") && !strings.HasPrefix(name, "java.awt.font.") ||
		strings.HasPrefix(name, "java.beans.") && !strings.Contains(name, "PropertyChange") {
		return false
	}
	for _, i := range internals {
		if strings.HasPrefix(name, i) {
			return false
		}
	}
	for _, part := range strings.Split(name, ".") {
		if part == "internal" || part == "aidl" || isVersion(part) {
			return false
		}
	}
	return ok
}

// isVersion recognises V1_0, as generated hardware interfaces use.
func isVersion(part string) bool {
	return len(part) > 3 && part[0] == 'V' && part[1] >= '0' && part[1] <= '9' && strings.Contains(part, "_")
}
