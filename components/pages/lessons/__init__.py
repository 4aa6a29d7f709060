"""The Lessons page, the files it reads, and handouts on paper."""
