import { isEmpty } from '../errors/error-value.ts';

/** Fields beside those that are read which hold nothing that a model says. */
const metadata =
  /^(?:role|index|name|type|object|id|phase|status|channel|recipient|weight|logprobs|finish_reason|finish_details|stop_reason|matched_stop|error|usage|seed|obfuscation|padding|p|partial|prefix|provider_specific_fields|extra_content|constructor|prototype|__proto__)$|^native_finish|signature|encrypted|opaque|token_ids|content_filter|_id$|_at$|_ms$/;

export const knownInChoice = /^(?:delta|message|annotations|citations|search_results)$/;
export const knownInDelta =
  /^(?:delta|message|content|text|refusal|audio|images?|annotations|citations|search_results|tool_calls|function_call|reasoning|reasoning_content|reasoning_text|reasoning_details|thinking|thinking_blocks|content_blocks)$/;
export const knownInCall = /^(?:function|custom|arguments|input)$/;

/** The fields that say something under names that are not known. */
export function unknownFields(
  value: Record<string, unknown>,
  known: RegExp,
): [name: string, field: unknown][] {
  return Object.entries(value).filter(
    ([name, field]) => !known.test(name) && !metadata.test(name) && field !== true && !isSilent(field),
  );
}

function isSilent(value: unknown): boolean {
  return (
    isEmpty(value) || (typeof value === 'object' && value !== null && Object.values(value).every(isEmpty))
  );
}

/** What names an object, counts or dates it: no words of anybody. */
const naming =
  /^(?:id|object|model|type|status|event|role|index|code|created|created_at|provider|service_tier|system_fingerprint|usage|timings|metrics|__proto__)$|(?:_|^x_)id$/;
const deepest = 8;
const mostTexts = 50;

/** The same without the names that may be all that is said: a state, a kind, a code. */
export const identity =
  /^(?:id|object|model|role|index|created|provider|service_tier|system_fingerprint|__proto__)$|(?:_|^x_)id$|(?:_|^)at$|^ts$|time/;

/** All texts in a value, other than those that name it. */
export function textsIn(value: unknown, silent = naming, depth = 0): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value];
  if (typeof value !== 'object' || value === null || depth > deepest) return [];
  return Object.entries(value)
    .slice(0, mostTexts)
    .flatMap(([key, inner]) => (silent.test(key) ? [] : textsIn(inner, silent, depth + 1)))
    .slice(0, mostTexts);
}

const sealed = /^(?:type|id|index|data|format|signature|__proto__)$|encrypted|_id$/;

/** The texts in a value that what was read of it does not hold; what is encrypted says nothing. */
export function unsaidIn(value: unknown, said: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return textsIn(value, sealed).filter((text) => !said.includes(text));
}
