import { isBlankValue } from '../errors/error-value.ts';

/** Fields beside those that are read which hold nothing that a model says. */
const metadataFields =
  /^(?:role|index|name|type|object|id|phase|status|channel|recipient|weight|logprobs|finish_reason|finish_details|stop_reason|matched_stop|error|usage|seed|obfuscation|padding|p|partial|prefix|provider_specific_fields|extra_content|constructor|prototype|__proto__)$|^native_finish|signature|encrypted|opaque|token_ids|content_filter|_id$|_at$|_ms$/;

export const knownChoiceFields = /^(?:delta|message|annotations|citations|search_results)$/;
export const knownDeltaFields =
  /^(?:delta|message|content|text|refusal|audio|images?|annotations|citations|search_results|tool_calls|function_call|reasoning|reasoning_content|reasoning_text|reasoning_details|thinking|thinking_blocks|content_blocks)$/;
export const knownToolCallFields = /^(?:function|custom|arguments|input)$/;

/** The fields that say something under names that are not known. */
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

/** What names an object, counts or dates it: no words of anybody. */
const namingFields =
  /^(?:id|object|model|type|status|event|role|index|code|created|created_at|provider|service_tier|system_fingerprint|usage|timings|metrics|__proto__)$|(?:_|^x_)id$/;
const maxDepth = 8;
const maxTexts = 50;

/** The same without the names that may be all that is said: a state, a kind, a code. */
export const identityFields =
  /^(?:id|object|model|role|index|created|provider|service_tier|system_fingerprint|__proto__)$|(?:_|^x_)id$|(?:_|^)at$|^ts$|time/;

/** All texts in a value, other than those that name it. */
export function collectTexts(value: unknown, ignoredKeys = namingFields, depth = 0): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (typeof value !== 'object' || value === null || depth > maxDepth) return [];
  return Object.entries(value)
    .slice(0, maxTexts)
    .flatMap(([key, inner]) => (ignoredKeys.test(key) ? [] : collectTexts(inner, ignoredKeys, depth + 1)))
    .slice(0, maxTexts);
}

const opaqueKeys = /^(?:type|id|index|data|format|signature|__proto__)$|encrypted|_id$/;

/** The texts in a value that what was read of it does not hold; what is encrypted says nothing. */
export function findUnreadTexts(value: unknown, readText: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return collectTexts(value, opaqueKeys).filter((text) => !readText.includes(text));
}
