/**
 * A link that carries a setup in its hash: model, system prompt and the parameters that are sent, of one lane or
 * of several, and a prompt to begin with where the person wants that. Never a key, a gateway or a conversation.
 */
import * as v from 'valibot';

import { parseJson } from '../../lib/json.ts';
import { trimEndChars } from '../../lib/text/trim.ts';
import { maxLanes } from '../session/lanes.ts';
import type { Setup } from '../session/types.ts';
import { defaultParams, PARAMS, type Params } from './params.ts';
import { shareHashPrefix } from './share-hash-prefix.ts';

export interface SharedSetup {
  setups: Setup[];
  /** What the composer starts with. */
  draft?: string;
}

export type SharedSetupResult = { ok: true; sharedSetup: SharedSetup } | { ok: false; problem: string };

const shareVersion = 1;
/** Browsers take links of megabytes; nothing that a person set up is as long as this. */
const maxHashChars = 400_000;

/** Far more than anyone writes into a field of the sidebar; long words without a space cost a page seconds there. */
const maxParamChars = 20_000;

const sharedLaneSchema = v.object({
  model: v.pipe(v.string(), v.maxLength(500)),
  system: v.exactOptional(v.string()),
  systemRole: v.exactOptional(v.literal('developer')),
  sendReasoning: v.exactOptional(v.picklist(['always', 'never'])),
  params: v.exactOptional(v.record(v.string(), v.pipe(v.string(), v.maxLength(maxParamChars)))),
});

const sharedSetupSchema = v.object({
  version: v.number(),
  lanes: v.pipe(v.array(sharedLaneSchema), v.minLength(1), v.maxLength(maxLanes)),
  draft: v.exactOptional(v.string()),
});

/** The hash of the link, from `#` on. Settings that are not sent do not go along. */
export function encodeShareHash({ setups, draft }: SharedSetup): string {
  const lanes = setups.map(({ model, system, systemRole, sendReasoning, params }) => {
    const sentParams = PARAMS.flatMap(({ name }) => {
      const setting = params[name];
      return setting?.sent ? [[name, setting.text] as const] : [];
    });
    return {
      model,
      ...(system === '' ? {} : { system, ...(systemRole ? { systemRole } : {}) }),
      ...(sendReasoning ? { sendReasoning } : {}),
      ...(sentParams.length === 0 ? {} : { params: Object.fromEntries(sentParams) }),
    };
  });
  const content = { version: shareVersion, lanes, ...(draft === undefined || draft === '' ? {} : { draft }) };
  return shareHashPrefix + encodeBase64Url(JSON.stringify(content));
}

/** Reads the hash of a link that someone sent: everything in it is checked, and unknown parameters are left out. */
export function decodeShareHash(hash: string): SharedSetupResult {
  const encoded = hash.startsWith(shareHashPrefix) ? hash.slice(shareHashPrefix.length) : hash;
  if (encoded.length > maxHashChars) return createFailure('It is too long.');
  const text = decodeBase64Url(encoded);
  const parsed = text === undefined ? undefined : parseJson(text);
  if (!parsed?.ok) return createFailure('It was cut off or altered.');
  const content = v.safeParse(sharedSetupSchema, parsed.value);
  if (!content.success) return createFailure('It contains no setup.');
  const { version, lanes, draft } = content.output;
  if (version !== shareVersion) return createFailure('It was made by a newer version of Bench.');
  const setups = lanes.map(({ model, system = '', systemRole, sendReasoning, params = {} }): Setup => ({
    model,
    system,
    ...(systemRole ? { systemRole } : {}),
    ...(sendReasoning ? { sendReasoning } : {}),
    params: readSharedParams(params),
  }));
  return { ok: true, sharedSetup: draft === undefined ? { setups } : { setups, draft } };
}

function createFailure(reason: string): SharedSetupResult {
  return { ok: false, problem: `This link cannot be read. ${reason} Ask for a new one.` };
}

function readSharedParams(texts: Readonly<Record<string, string>>): Params {
  const params: Params = {};
  for (const { name } of PARAMS) {
    const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
    const isDefault = name === 'stream_options' && text === defaultParams.stream_options?.text;
    if (text !== undefined) params[name] = { sent: true, text, ...(isDefault ? { byDefault: true } : {}) };
  }
  return params;
}

function encodeBase64Url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  // In parts: a call takes only so many arguments.
  let binary = '';
  for (let offset = 0; offset < bytes.length; offset += 8192)
    binary += String.fromCharCode(...bytes.subarray(offset, offset + 8192));
  return trimEndChars(btoa(binary), '=').replaceAll('+', '-').replaceAll('/', '_');
}

function decodeBase64Url(encoded: string): string | undefined {
  try {
    const binary = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
