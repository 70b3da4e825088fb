export function HistoryScreen() {
  return <main className="screen" />;
}
