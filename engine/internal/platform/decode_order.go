package platform

// order reads "method: what has run before its first run", one name or several.
func (d *decoder) order(c *ClassModel, n node) {
	if n.kind != mapNode {
		d.errorf(n.line, "order: want method: earlier methods")
		return
	}
	for _, p := range n.pairs {
		o := Order{Method: p.key, Pos: Pos{d.file, p.line}}
		for _, item := range p.val.list() {
			text, ok := d.scalar(item, "order")
			if !ok {
				continue
			}
			if !isWord(text) {
				d.errorf(item.line, "order %s: %q is no method name", p.key, text)
				continue
			}
			o.After = append(o.After, text)
		}
		d.addOrder(c, o)
	}
}

func (d *decoder) addOrder(c *ClassModel, o Order) {
	for i, old := range c.Order {
		if old.Method != o.Method {
			continue
		}
		if !d.extra || old.Pos.File == d.file {
			d.errorf(o.Pos.Line, "duplicate order of %s.%s, first at %s:%d", c.Name, o.Method, old.Pos.File, old.Pos.Line)
		}
		c.Order[i] = o
		return
	}
	c.Order = append(c.Order, o)
}

// order checks that the methods of an order exist and that none comes before
// itself.
func (c *checker) order(cm *ClassModel) {
	for _, o := range cm.Order {
		if c.known(cm.Name) != nil {
			for _, name := range append([]string{o.Method}, o.After...) {
				if c.find(cm.Name, name, func([]string) bool { return true }) == nil {
					c.errorf(o.Pos, "order: %s has no method %s", cm.Name, name)
				}
			}
		}
		for _, a := range c.m.After(c.ix.Supers, cm.Name, o.Method) {
			if a == o.Method {
				c.errorf(o.Pos, "order: %s.%s comes before itself", cm.Name, a)
			}
		}
	}
}

// separate reads the names of callbacks that are runs of their own.
func (d *decoder) separate(c *ClassModel, n node) {
	for _, item := range n.list() {
		text, ok := d.scalar(item, "separate")
		switch {
		case !ok:
		case !isWord(text):
			d.errorf(item.line, "separate: %q is no method name", text)
		default:
			c.Separate = append(c.Separate, text)
		}
	}
}

// renew reads "method that ends a round: method that begins the next".
func (d *decoder) renew(c *ClassModel, n node) {
	if n.kind != mapNode {
		d.errorf(n.line, "renew: want method: method")
		return
	}
	for _, p := range n.pairs {
		if text, ok := d.scalar(p.val, "renew"); ok {
			c.Renew = append(c.Renew, Renewal{End: p.key, Begin: text})
		}
	}
}

// settled reads the names of callbacks that come when their object's first callback is over.
func (d *decoder) settled(c *ClassModel, n node) {
	for _, item := range n.list() {
		if text, ok := d.scalar(item, "settled"); ok {
			c.Settled = append(c.Settled, text)
		}
	}
}

// separate checks that the methods exist.
func (c *checker) separate(cm *ClassModel) {
	for _, name := range cm.Separate {
		if c.known(cm.Name) != nil && c.find(cm.Name, name, func([]string) bool { return true }) == nil {
			c.errorf(cm.Pos, "separate: %s has no method %s", cm.Name, name)
		}
	}
	for _, r := range cm.Renew {
		for _, name := range []string{r.End, r.Begin} {
			if c.known(cm.Name) != nil && c.find(cm.Name, name, func([]string) bool { return true }) == nil {
				c.errorf(cm.Pos, "renew: %s has no method %s", cm.Name, name)
			}
		}
	}
	for _, name := range cm.Settled {
		if c.known(cm.Name) != nil && c.find(cm.Name, name, func([]string) bool { return true }) == nil {
			c.errorf(cm.Pos, "settled: %s has no method %s", cm.Name, name)
		}
	}
}
