import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';

import { GatewayError } from '../gateway/errors/errors.ts';
import { useAppServices } from '../state/contexts.tsx';
import { Button } from '../ui/controls/button.tsx';

/** Asks for the server's password once; scripts cannot read the resulting cookie. */
export function LoginScreen() {
  const { serverClient } = useAppServices();
  const queryClient = useQueryClient();
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const password = new FormData(event.currentTarget).get('password');
    if (typeof password !== 'string' || password === '') return setProblem('Enter the password.');
    setBusy(true);
    setProblem('');
    try {
      await serverClient.login(password);
      await queryClient.invalidateQueries();
    } catch (error) {
      setProblem(describeLoginError(error));
    }
    setBusy(false);
  };

  return (
    <main className="grid h-dvh place-items-center bg-bench">
      <form
        className="grid w-[min(360px,calc(100vw-32px))] gap-2 rounded-4 border border-line-2 bg-paper p-6 shadow-e-1"
        onSubmit={(event) => void submit(event)}
      >
        <h1 className="text-22 tracking-[-0.012em]">Bench</h1>
        <p className="text-13 text-ink-2">Enter the team password.</p>
        <label className="mt-1.5 text-11 text-ink-3" htmlFor="password">
          Password
        </label>
        <input
          className="h-8 rounded-2 border border-edge bg-raised px-2.5 text-14 max-phone:h-11 max-phone:text-[16px]"
          id="password"
          name="password"
          type="password"
          autoComplete="current-password"
          autoFocus
          aria-invalid={problem !== ''}
          aria-describedby="login-problem"
        />
        <p id="login-problem" className="min-h-5 text-12 text-err-ink" role="alert">
          {problem}
        </p>
        <Button type="submit" variant="primary" size="big" disabled={isBusy}>
          {isBusy ? 'Logging in…' : 'Log in'}
        </Button>
      </form>
    </main>
  );
}

function describeLoginError(error: unknown): string {
  if (!(error instanceof GatewayError)) return 'Could not log in.';
  return error.report.status === 401 ? 'Wrong password.' : error.report.message;
}
