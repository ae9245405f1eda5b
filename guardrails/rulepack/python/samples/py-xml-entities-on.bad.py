from lxml import etree


def document(path):
    parser = etree.XMLParser(resolve_entities=True)
    return etree.parse(path, parser)
