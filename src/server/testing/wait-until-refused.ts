import { waitUntil } from '../../testing/wait-until.ts';

/** Resolves once a server accepts no new connections. */
export async function waitUntilRefused(origin: string): Promise<void> {
  const fetchStatus = () => fetch(`${origin}/playground/status`, { headers: { connection: 'close' } });
  await waitUntil(() =>
    fetchStatus().then(
      () => false,
      () => true,
    ),
  );
}
