import jinja2

PAGES = jinja2.Environment(loader=jinja2.FileSystemLoader("pages"), autoescape=False)
