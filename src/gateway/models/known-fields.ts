import { isBlankValue } from '../errors/error-value.ts';

/** Known metadata fields, which never contain model text. */
const metadataFields =
  /^(?:role|index|name|type|object|id|phase|status|channel|recipient|weight|finish_reason|finish_details|stop_reason|matched_stop|error|usage|seed|created|provider|service_tier|system_fingerprint|metadata|moderation|timings|time_info|kv_transfer_params|obfuscation|padding|p|partial|prefix|provider_specific_fields|extra_content|constructor|prototype|__proto__)$|^native_finish|logprobs?$|signature|encrypted|opaque|token_ids|content_filter|_id$|_at$|_ms$/;

export const knownChoiceFields = /^(?:delta|message|annotations|citations|search_results)$/;
export const knownDeltaFields =
  /^(?:delta|message|content|text|refusal|audio|images?|annotations|citations|search_results|tool_calls|function_call|reasoning|reasoning_content|reasoning_text|reasoning_details|thinking|thinking_blocks|content_blocks)$/;
export const knownToolCallFields = /^(?:function|custom|arguments|input)$/;

/** Finds fields with content under unknown names. */
export function findUnknownFields(
  value: Record<string, unknown>,
  knownNames: RegExp,
): [name: string, field: unknown][] {
  return Object.entries(value).filter(
    ([name, field]) =>
      !knownNames.test(name) && !metadataFields.test(name) && field !== true && !isDeepBlank(field),
  );
}

function isDeepBlank(value: unknown): boolean {
  return (
    isBlankValue(value) ||
    (typeof value === 'object' && value !== null && Object.values(value).every(isBlankValue))
  );
}

/** Fields that identify, count or date an object, and contain no message. */
const namingFields =
  /^(?:id|object|model|type|status|event|role|index|code|created|created_at|provider|service_tier|system_fingerprint|usage|timings|metrics|__proto__)$|(?:_|^x_)id$/;
const maxDepth = 8;
const maxTexts = 50;

/** Fields as above, except those that may be the only message: a state, a kind or a code. */
export const identityFields =
  /^(?:id|object|model|role|index|created|provider|service_tier|system_fingerprint|__proto__)$|(?:_|^x_)id$|(?:_|^)at$|^ts$|time/;

/** Returns all texts in a value except those of identifying fields. */
export function collectTexts(value: unknown, ignoredKeys = namingFields, depth = 0): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (typeof value !== 'object' || value === null || depth > maxDepth) return [];
  return Object.entries(value)
    .slice(0, maxTexts)
    .flatMap(([key, inner]) => (ignoredKeys.test(key) ? [] : collectTexts(inner, ignoredKeys, depth + 1)))
    .slice(0, maxTexts);
}

const opaqueKeys = /^(?:type|id|index|data|format|signature|__proto__)$|encrypted|_id$/;

/** Returns the texts in a value that `readText` does not contain, except encrypted text. */
export function findUnreadTexts(value: unknown, readText: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return collectTexts(value, opaqueKeys).filter((text) => !readText.includes(text));
}
