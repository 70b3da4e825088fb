export function EmbeddingsScreen() {
  return <main className="screen" />;
}
