"""Before generation: what an agent is given to read is cleaned and judged. Pure."""
