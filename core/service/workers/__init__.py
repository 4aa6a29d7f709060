"""The processes of this machine that compute runs, and what every worker does, here and in a cluster.

It may import files, records and queues, and neither the web nor Redis.
"""
