"""How the state looks in GitHub's JSON. What is missing is filled by the schema."""
