/**
 * Encodes setups in the hash of a link: models, system prompts and sent parameters of lanes, the names of gateways, and
 * optionally a draft prompt and values of variables. Keys, addresses and conversations are never included.
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
  /** Initial text of the composer. */
  draft?: string;
  /** Values of the variables that the setups and the draft use. */
  variables?: Record<string, string>;
}

export type SharedSetupResult = { ok: true; sharedSetup: SharedSetup } | { ok: false; problem: string };

/**
 * Version 2 adds the names of gateways, version 3 the values of variables. A link has the lowest version that it needs,
 * so that earlier versions of Bench can read it.
 */
const shareVersion = 3;
/** Maximum length in characters. Browsers accept links of several megabytes, but no realistic setup is this long. */
const maxHashChars = 400_000;

/**
 * Maximum length of a parameter in characters. Very long words would block the page for seconds when rendered in the
 * sidebar.
 */
const maxParamChars = 20_000;

const sharedLaneSchema = v.object({
  model: v.pipe(v.string(), v.maxLength(500)),
  gateway: v.exactOptional(v.pipe(v.string(), v.maxLength(100))),
  system: v.exactOptional(v.string()),
  systemRole: v.exactOptional(v.literal('developer')),
  sendReasoning: v.exactOptional(v.picklist(['always', 'never'])),
  params: v.exactOptional(v.record(v.string(), v.pipe(v.string(), v.maxLength(maxParamChars)))),
});

const sharedSetupSchema = v.object({
  version: v.number(),
  lanes: v.pipe(v.array(sharedLaneSchema), v.minLength(1), v.maxLength(maxLanes)),
  draft: v.exactOptional(v.string()),
  variables: v.exactOptional(v.record(v.string(), v.string())),
});

/** Returns the hash of the link, including `#`. Settings that are not sent are omitted. */
export function encodeShareHash({ setups, draft, variables = {} }: SharedSetup): string {
  const lanes = setups.map(({ model, gateway, system, systemRole, sendReasoning, params }) => {
    const sentParams = PARAMS.flatMap(({ name }) => {
      const setting = params[name];
      return setting?.sent ? [[name, setting.text] as const] : [];
    });
    return {
      model,
      ...(gateway === undefined ? {} : { gateway }),
      ...(system === '' ? {} : { system, ...(systemRole ? { systemRole } : {}) }),
      ...(sendReasoning ? { sendReasoning } : {}),
      ...(sentParams.length === 0 ? {} : { params: Object.fromEntries(sentParams) }),
    };
  });
  const hasVariables = Object.keys(variables).length > 0;
  const version = hasVariables ? shareVersion : lanes.some(({ gateway }) => gateway !== undefined) ? 2 : 1;
  const content = {
    version,
    lanes,
    ...(draft === undefined || draft === '' ? {} : { draft }),
    ...(hasVariables ? { variables } : {}),
  };
  return shareHashPrefix + encodeBase64Url(JSON.stringify(content));
}

/** Parses the hash of a received link. All content is validated, and unknown parameters are dropped. */
export function decodeShareHash(hash: string): SharedSetupResult {
  const encoded = hash.startsWith(shareHashPrefix) ? hash.slice(shareHashPrefix.length) : hash;
  if (encoded.length > maxHashChars) return createFailure('It is too long.');
  const text = decodeBase64Url(encoded);
  const parsed = text === undefined ? undefined : parseJson(text);
  if (!parsed?.ok) return createFailure('It was cut off or altered.');
  const content = v.safeParse(sharedSetupSchema, parsed.value);
  if (!content.success) return createFailure('It contains no setup.');
  const { version, lanes, draft, variables } = content.output;
  if (!Number.isInteger(version) || version < 1 || version > shareVersion)
    return createFailure('It was created by a newer version of Bench.');
  const setups = lanes.map(
    ({ model, gateway, system = '', systemRole, sendReasoning, params = {} }): Setup => ({
      model,
      ...(gateway === undefined ? {} : { gateway }),
      system,
      ...(systemRole ? { systemRole } : {}),
      ...(sendReasoning ? { sendReasoning } : {}),
      params: readSharedParams(params),
    }),
  );
  return {
    ok: true,
    sharedSetup: {
      setups,
      ...(draft === undefined ? {} : { draft }),
      ...(variables === undefined ? {} : { variables }),
    },
  };
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
  // Encoded in chunks, because a call accepts a limited number of arguments.
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
