"""The same on several machines: store, queue and studies in Redis, workers of Celery.

An embedded server loads none of it. It may import everything below the web.
"""
