export function Comment(props) {
  return <div>{props.text}</div>;
}

export function clear(node) {
  node.innerHTML = "";
}
