import type { StreamEvent } from '../stream/stream-events.ts';
import type { Outcome } from './stream-rows.ts';

/** Returns the outcome of these events. */
export function collectOutcome(events: readonly StreamEvent[]): Outcome {
  const outcome: Outcome = {};
  const calls = new Map<string, [string, string | undefined, string, string]>();
  for (const event of events) {
    if (event.type === 'text-delta') appendText((outcome.text ??= {}), event.choice, event.text);
    if (event.type === 'thinking-delta') appendText((outcome.thinking ??= {}), event.choice, event.text);
    if (event.type === 'refusal-delta') appendText((outcome.refusal ??= {}), event.choice, event.text);
    if (event.type === 'tool-call-delta') {
      const slotKey = `${event.choice}/${event.slot}`;
      const [, id, name, text] = calls.get(slotKey) ?? [slotKey, undefined, '', ''];
      const argumentsText = (event.isReplacing ? '' : text) + (event.arguments ?? '');
      calls.set(slotKey, [slotKey, event.id ?? id, name + (event.name ?? ''), argumentsText]);
    }
    if (event.type === 'image') {
      const urls = ((outcome.images ??= {})[event.choice] ??= []);
      if (!urls.includes(event.url)) urls.push(event.url);
    }
    if (event.type === 'sound-delta') appendText((outcome.sound ??= {}), event.choice, event.data);
    if (event.type === 'sources')
      (outcome.sources ??= []).push(
        ...event.sources.map(({ url, title }): [string, string, string?] => {
          const choiceKey = event.choice === undefined ? 'all' : String(event.choice);
          return title === undefined ? [choiceKey, url] : [choiceKey, url, title];
        }),
      );
    if (event.type === 'choice-end') (outcome.ends ??= []).push([event.choice, event.reason]);
    if (event.type === 'done') outcome.done = true;
    if (event.type === 'usage') {
      const { promptTokens, completionTokens, totalTokens, reasoningTokens } = event.usage;
      const counts = [promptTokens, completionTokens, totalTokens];
      (outcome.usage ??= []).push(reasoningTokens === undefined ? counts : [...counts, reasoningTokens]);
    }
    if (event.type === 'blocked') (outcome.blocked ??= []).push(event.reason);
    if (event.type === 'error') {
      const { source, kind, message } = event.report;
      (outcome.errors ??= []).push([source, kind, message]);
    }
    if (event.type === 'note') {
      const notes = (outcome.notes ??= {});
      notes[event.note] = (notes[event.note] ?? 0) + 1;
    }
    if (event.type === 'identity' && event.model) (outcome.models ??= []).push(event.model);
  }
  if (calls.size > 0) outcome.tools = [...calls.values()];
  return outcome;
}

function appendText(texts: Record<number, string>, choice: number, text: string) {
  texts[choice] = (texts[choice] ?? '') + text;
}
