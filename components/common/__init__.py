"""What several pages share: controls, colours, navigation, links, and how runs look in a picture."""
