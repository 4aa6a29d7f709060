"""What a newcomer adds by the recipes of CONTRIBUTING.md, for tests/components/test_recipes.py."""
