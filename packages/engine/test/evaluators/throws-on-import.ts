throw new TypeError("the module itself is wrong\nsecond line");
