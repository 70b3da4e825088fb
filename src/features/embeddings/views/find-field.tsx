import { Search, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useStore } from 'zustand';

import { IconButton } from '../../../ui/icon-button.tsx';
import { Select } from '../../../ui/select.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { shownSet } from '../lab-store.ts';
import { useLabState } from '../use-lab.ts';
import { clearQuery, findStore, plainTemplate } from './find-store.ts';
import { useFind } from './use-find.ts';

const instruction =
  'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: {query}';
const templates = [
  { value: 'plain', label: 'as typed' },
  { value: 'qwen3', label: 'Qwen3 instruction' },
  { value: 'own', label: 'own' },
] as const;
type TemplateName = (typeof templates)[number]['value'];

/** What to look for: words in the texts are found at once, the nearest in meaning on Enter. */
export function FindField() {
  const { query, template, embedsAsTyped, isAsking, problem, found } = useStore(findStore);
  const model = useLabState((state) => shownSet(state)?.model ?? '');
  const { ask, isReady } = useFind();
  const [isOwn, setIsOwn] = useState(false);
  const fieldId = useId();
  const hintId = useId();
  const name: TemplateName =
    isOwn || (template !== plainTemplate && template !== instruction)
      ? 'own'
      : template === plainTemplate
        ? 'plain'
        : 'qwen3';
  const isFound = found !== undefined && found.query === query.trim();
  const hint = isAsking
    ? 'Embedding the query'
    : !isReady
      ? 'Embed the texts first.'
      : query.trim() === '' || isFound
        ? ''
        : embedsAsTyped
          ? 'Looks when you pause; each pause is one request.'
          : 'Enter embeds the query: one request.';

  return (
    <div className="lab-find">
      <label htmlFor={fieldId}>Find texts close to</label>
      <div className="find-field">
        <Search className="i s" aria-hidden />
        <textarea
          id={fieldId}
          data-find
          rows={1}
          dir="auto"
          enterKeyHint="search"
          aria-describedby={hintId}
          value={query}
          onInput={(event) => findStore.setState({ query: event.currentTarget.value, problem: undefined })}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            if (event.key === 'Enter' && !event.shiftKey) {
              event.preventDefault();
              ask();
            }
          }}
        />
        {query !== '' && (
          <IconButton size="small" label="Clear the query" onClick={clearQuery}>
            <X className="i s" aria-hidden />
          </IconButton>
        )}
      </div>
      <p id={hintId} className="find-hint">
        {problem ?? hint}
      </p>
      <details className="find-more">
        <summary>Query template</summary>
        <div className="find-template">
          <Select
            label="Query template"
            value={name}
            options={templates}
            onChange={(next) => {
              setIsOwn(next === 'own');
              if (next !== 'own')
                findStore.setState({ template: next === 'plain' ? plainTemplate : instruction });
            }}
          />
          <textarea
            className="area"
            aria-label="Template text"
            value={template}
            onInput={(event) => {
              setIsOwn(true);
              findStore.setState({ template: event.currentTarget.value });
            }}
          />
          <p className="mut">
            {'{query}'} stands for what you type.
            {/qwen3/i.test(model) &&
              ' Qwen3 wants an instruction on the query only; without it 1 to 5% is lost.'}
          </p>
          <label className="find-as-typed">
            <Switch
              label="Embed at each pause in typing"
              checked={embedsAsTyped}
              onChange={(checked) => findStore.setState({ embedsAsTyped: checked })}
            />
            Embed at each pause in typing
          </label>
        </div>
      </details>
    </div>
  );
}
