import { getParamState, type Params } from './params.ts';

/** Finds the parameter that limits the output; the lower one if both are sent. */
export function findOutputLimit(
  params: Params,
): { name: 'max_tokens' | 'max_completion_tokens'; value: number } | undefined {
  const limits = (['max_tokens', 'max_completion_tokens'] as const).flatMap((name) => {
    const limit = getParamState(params, name);
    return limit.state === 'sent' && typeof limit.value === 'number' ? [{ name, value: limit.value }] : [];
  });
  return limits.toSorted((a, b) => a.value - b.value)[0];
}
