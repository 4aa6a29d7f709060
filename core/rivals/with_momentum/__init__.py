"""What the heavy ball and Nesterov's method share: `epochs` is the update and loop, `method` the class."""
