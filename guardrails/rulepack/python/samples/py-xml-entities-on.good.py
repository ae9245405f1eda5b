from lxml import etree


def document(path):
    parser = etree.XMLParser(resolve_entities=False)
    return etree.parse(path, parser)
