import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';

import { GatewayError } from '../gateway/errors/errors.ts';
import { usePlayground } from '../state/react.tsx';
import { Button } from '../ui/controls/button.tsx';

/** The server's password, asked once; the cookie it gives is out of reach of scripts. */
export function Login() {
  const { gateway } = usePlayground();
  const queries = useQueryClient();
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy) return;
    const password = new FormData(event.currentTarget).get('password');
    if (typeof password !== 'string' || password === '') return setProblem('Enter the password first.');
    setBusy(true);
    setProblem('');
    try {
      await gateway.login(password);
      await queries.invalidateQueries();
    } catch (error) {
      setProblem(sentenceFor(error));
    }
    setBusy(false);
  };

  return (
    <main className="login">
      <form onSubmit={(event) => void submit(event)}>
        <h1>Bench</h1>
        <p>Enter the password set in PLAYGROUND_PASSWORD.</p>
        <label htmlFor="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autoComplete="current-password"
          autoFocus
          aria-invalid={problem !== ''}
          aria-describedby="login-problem"
        />
        <p id="login-problem" role="alert">
          {problem}
        </p>
        <Button type="submit" look="ink" size="big" aria-disabled={busy}>
          {busy ? 'Checking' : 'Log in'}
        </Button>
      </form>
    </main>
  );
}

function sentenceFor(error: unknown): string {
  if (!(error instanceof GatewayError)) return 'Could not log in.';
  return error.report.status === 401 ? 'Wrong password.' : error.report.message;
}
