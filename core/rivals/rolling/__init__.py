"""What the heavy ball and Nesterov's method share: `epochs` is the update, `method` the class of both."""
