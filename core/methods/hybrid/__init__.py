"""What LS/GD and LS/Adam share (paper, section 5.2): `iterations` is the loop, `method` the class that both
extend.
"""
