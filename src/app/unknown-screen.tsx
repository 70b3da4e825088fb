/** An address without a screen of the app. */
export function UnknownScreen() {
  return (
    <main className="screen blank">
      <h1>Page not found</h1>
      <p>The address may be mistyped. Your sessions are kept and listed in History.</p>
      <div className="offers">
        <a className="bt ink" href="/">
          Open Playground
        </a>
        <a className="bt" href="/history">
          Open History
        </a>
      </div>
    </main>
  );
}
