/**
 * `stream_options`: the one field that Bench sends unasked, since without it a stream brings no token counts (§2.1),
 * and so the one that it may leave out again where a gateway refuses it.
 */
import { ownProperty, parseJson, stringProperty } from '../../lib/json.ts';
import { answerVersions, runOf } from '../session/tree.ts';
import type { Run, SessionData, Setup, Turn } from '../session/types.ts';

const named = /stream_options|include_usage/i;

/** The gateway refused the request for a field that Bench had added by itself. */
export function isUsageRefused({ phase, setup }: Run): boolean {
  const setting = setup.params.stream_options;
  if (setting?.byDefault !== true || !setting.sent || phase.name !== 'failed') return false;
  const { error } = phase;
  if (error === undefined || (error.source !== 'gateway' && error.source !== 'provider')) return false;
  if (error.status !== 400 && error.status !== 422) return false;
  const raw = parseJson(error.raw ?? '');
  const param = raw.ok && stringProperty(ownProperty(raw.value, 'error') ?? raw.value, 'param');
  const fields = (error.fields ?? []).flatMap(({ path, message }) => [path, message]);
  return [error.message, error.code, param, ...fields].some((words) => named.test(words || ''));
}

/** The setup as it is to be sent to a model that takes the field, or refuses it; what a person chose stays. */
export function withDefaultUsage(setup: Setup, isRefused: boolean): Setup {
  const setting = setup.params.stream_options;
  if (setting?.byDefault !== true || setting.sent === !isRefused) return setup;
  return { ...setup, params: { ...setup.params, stream_options: { ...setting, sent: !isRefused } } };
}

/** This answer was asked for again without the field, after the version before it was refused for it. */
export function isAskedWithoutUsage(data: SessionData, turn: Turn): boolean {
  const own = runOf(data, turn)?.setup.params.stream_options;
  if (own?.byDefault !== true || own.sent) return false;
  const before = answerVersions(data, turn).filter(({ seq }) => seq < turn.seq);
  const last = before.at(-1);
  const run = runOf(data, last);
  return run !== undefined && isUsageRefused(run);
}
