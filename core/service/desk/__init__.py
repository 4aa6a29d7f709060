"""The desk: answers that cost more than a few milliseconds, made by processes of their own.

`questions` says what can be asked and how it is answered, `clerk` is the process that answers, `desk` is what
the web process has of it: a fair queue, one answer for all who ask, limits of time and memory. It may import
everything in core but Flask; `views` alone knows HTTP.
"""
