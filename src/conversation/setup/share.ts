/**
 * A link that carries a setup in its hash: model, system prompt and the parameters that are sent, of one lane or
 * of several, and a prompt to begin with where the person wants that. Never a key, a gateway or a conversation.
 */
import * as v from 'valibot';

import { parseJson } from '../../lib/json.ts';
import { trimEndChars } from '../../lib/text/trim.ts';
import { mostLanes } from '../session/lanes.ts';
import type { Setup } from '../session/types.ts';
import { firstParams, PARAMS, type Params } from './params.ts';
import { shareMark } from './share-hash-prefix.ts';

export interface Shared {
  setups: Setup[];
  /** What the composer starts with. */
  draft?: string;
}

export type SharedReading = { ok: true; shared: Shared } | { ok: false; problem: string };

const shareVersion = 1;
/** Browsers take links of megabytes; nothing that a person set up is as long as this. */
const mostCharacters = 400_000;

/** Far more than anyone writes into a field of the sidebar; long words without a space cost a page seconds there. */
const mostLettersOfAParameter = 20_000;

const laneSchema = v.object({
  model: v.pipe(v.string(), v.maxLength(500)),
  system: v.exactOptional(v.string()),
  systemRole: v.exactOptional(v.literal('developer')),
  sendReasoning: v.exactOptional(v.picklist(['always', 'never'])),
  params: v.exactOptional(v.record(v.string(), v.pipe(v.string(), v.maxLength(mostLettersOfAParameter)))),
});

const sharedSchema = v.object({
  version: v.number(),
  lanes: v.pipe(v.array(laneSchema), v.minLength(1), v.maxLength(mostLanes)),
  draft: v.exactOptional(v.string()),
});

/** The hash of the link, from `#` on. Settings that are not sent do not go along. */
export function hashOfShared({ setups, draft }: Shared): string {
  const lanes = setups.map(({ model, system, systemRole, sendReasoning, params }) => {
    const sent = PARAMS.flatMap(({ name }) => {
      const setting = params[name];
      return setting?.sent ? [[name, setting.text] as const] : [];
    });
    return {
      model,
      ...(system === '' ? {} : { system, ...(systemRole ? { systemRole } : {}) }),
      ...(sendReasoning ? { sendReasoning } : {}),
      ...(sent.length === 0 ? {} : { params: Object.fromEntries(sent) }),
    };
  });
  const content = { version: shareVersion, lanes, ...(draft === undefined || draft === '' ? {} : { draft }) };
  return shareMark + base64Url(JSON.stringify(content));
}

/** Reads the hash of a link that someone sent: everything in it is checked, and unknown parameters are left out. */
export function readShared(hash: string): SharedReading {
  const packed = hash.startsWith(shareMark) ? hash.slice(shareMark.length) : hash;
  if (packed.length > mostCharacters) return refusal('It is too long.');
  const text = textOfBase64Url(packed);
  const reading = text === undefined ? undefined : parseJson(text);
  if (!reading?.ok) return refusal('It was cut off or altered.');
  const content = v.safeParse(sharedSchema, reading.value);
  if (!content.success) return refusal('It contains no setup.');
  const { version, lanes, draft } = content.output;
  if (version !== shareVersion) return refusal('It was made by a newer version of Bench.');
  const setups = lanes.map(({ model, system = '', systemRole, sendReasoning, params = {} }): Setup => ({
    model,
    system,
    ...(systemRole ? { systemRole } : {}),
    ...(sendReasoning ? { sendReasoning } : {}),
    params: settings(params),
  }));
  return { ok: true, shared: draft === undefined ? { setups } : { setups, draft } };
}

function refusal(why: string): SharedReading {
  return { ok: false, problem: `This link cannot be read. ${why} Ask for a new one.` };
}

function settings(texts: Readonly<Record<string, string>>): Params {
  const params: Params = {};
  for (const { name } of PARAMS) {
    const text = Object.hasOwn(texts, name) ? texts[name] : undefined;
    const isDefault = name === 'stream_options' && text === firstParams.stream_options?.text;
    if (text !== undefined) params[name] = { sent: true, text, ...(isDefault ? { byDefault: true } : {}) };
  }
  return params;
}

function base64Url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  // In parts: a call takes only so many arguments.
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return trimEndChars(btoa(binary), '=').replaceAll('+', '-').replaceAll('/', '_');
}

function textOfBase64Url(packed: string): string | undefined {
  try {
    const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
