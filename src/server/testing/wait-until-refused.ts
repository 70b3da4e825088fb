import { until } from '../../testing/wait-until.ts';

/** Resolves once a server accepts nothing new. */
export async function refused(origin: string): Promise<void> {
  const ask = () => fetch(`${origin}/playground/status`, { headers: { connection: 'close' } });
  await until(() =>
    ask().then(
      () => false,
      () => true,
    ),
  );
}
