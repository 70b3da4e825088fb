/** An address that is no screen of the app. */
export function UnknownScreen() {
  return (
    <main className="screen blank">
      <h1>There is nothing at this address</h1>
      <p>The address may be mistyped. Your sessions are kept and listed in the history.</p>
      <div className="offers">
        <a className="bt ink" href="/">
          Open the playground
        </a>
        <a className="bt" href="/history">
          Open the history
        </a>
      </div>
    </main>
  );
}
