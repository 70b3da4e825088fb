import { useId, useState } from 'react';

import { plainTemplate, getShownSet } from '../../../state/lab/lab-state.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { Search, X } from '../../../ui/icons.tsx';
import { useLab, useLabState } from '../hooks/use-lab.ts';
import { labFindField } from '../lab-focus-targets.ts';
import { ExtraFields } from '../texts/extra-fields-view.tsx';
import { FieldFix } from '../texts/field-fix.tsx';

/** Search field: finds matching words while typing, and the nearest texts on Enter. */
export function FindField() {
  const { changeFind, clearQuery, search, omitRejectedQueryField } = useLab();
  const { query, shouldEmbedWhileTyping, isSearching, problem, fieldProblem, activeQuery } = useLabState(
    (state) => state.find,
  );
  const isReady = useLabState((state) => getShownSet(state) !== undefined);
  const fieldId = useId();
  const hintId = useId();
  const isQueryEmbedded = activeQuery !== undefined && activeQuery.query === query.trim();
  const hint = isSearching
    ? 'Embedding the query…'
    : !isReady
      ? 'Embed the texts first.'
      : query.trim() === '' || isQueryEmbedded
        ? ''
        : shouldEmbedWhileTyping
          ? 'Searches when you pause typing, with one request each time.'
          : 'Press Enter to search (1 request).';

  return (
    <div className="flex-none border-b border-line px-4 pt-2 pb-1.5">
      <label htmlFor={fieldId} className="text-11 text-ink-3">
        Search by meaning
      </label>
      <div className="mt-1 flex items-start gap-2 rounded-2 border border-edge bg-raised px-2.5 focus-within:outline-2 focus-within:outline-ink">
        <Search className="mt-[9px] icon-14 text-needle-ink" aria-hidden />
        <TextArea
          {...labFindField.attributes}
          id={fieldId}
          aria-label="Search by meaning"
          className="[field-sizing:content] max-h-30 min-w-0 flex-1 resize-none border-0 bg-transparent px-0 py-1.5 text-14 leading-5 outline-none"
          rows={1}
          dir="auto"
          enterKeyHint="search"
          aria-describedby={hintId}
          value={query}
          onText={(text) => changeFind({ query: text })}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey) {
              event.preventDefault();
              void search({ canSendRequest: true });
            }
          }}
        />
        {query !== '' && (
          <IconButton size="small" label="Clear query" className="my-1" onClick={clearQuery}>
            <X className="icon-14" aria-hidden />
          </IconButton>
        )}
      </div>
      <p id={hintId} className="min-h-4 pt-[3px] text-12 text-ink-3">
        {problem ?? hint}
      </p>
      {fieldProblem && (
        <p className="pt-0.5 pb-1.5">
          <FieldFix
            field={fieldProblem}
            target="query"
            onOmit={() => void omitRejectedQueryField()}
            disabled={isSearching}
          />
        </p>
      )}
      <details>
        <summary className="min-h-6 w-fit cursor-pointer text-12 leading-6 text-ink-2">
          Query template
        </summary>
        <FindTemplate />
      </details>
      <ExtraFields target="query" />
    </div>
  );
}

const instruction =
  'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: {query}';
const templateOptions = [
  { value: 'plain', label: 'as typed' },
  { value: 'qwen3', label: 'Qwen3 instruction' },
  { value: 'own', label: 'custom' },
] as const;
type TemplateName = (typeof templateOptions)[number]['value'];

/** Query template, and the option to send the query at each pause in typing. */
function FindTemplate() {
  const { changeFind } = useLab();
  const { template, shouldEmbedWhileTyping } = useLabState((state) => state.find);
  const model = useLabState((state) => getShownSet(state)?.model ?? '');
  const [isCustom, setIsCustom] = useState(false);
  const name: TemplateName =
    isCustom || (template !== plainTemplate && template !== instruction)
      ? 'own'
      : template === plainTemplate
        ? 'plain'
        : 'qwen3';
  return (
    <div className="grid justify-items-start gap-1.5 py-1 text-12">
      <Select
        label="Query template"
        value={name}
        options={templateOptions}
        onChange={(next) => {
          setIsCustom(next === 'own');
          if (next !== 'own') changeFind({ template: next === 'plain' ? plainTemplate : instruction });
        }}
      />
      <TextArea
        variant="code"
        aria-label="Template text"
        value={template}
        onText={(text) => {
          setIsCustom(true);
          changeFind({ template: text });
        }}
      />
      <p className="text-ink-3">
        {'{query}'} is replaced with your query.
        {/qwen3/i.test(model) &&
          ' Qwen3 embedding models expect an instruction. Without it, quality drops by 1 to 5%.'}
      </p>
      <label className="flex min-h-6 items-center gap-2">
        <Switch
          label="Search as you type"
          checked={shouldEmbedWhileTyping}
          onChange={(checked) => changeFind({ shouldEmbedWhileTyping: checked })}
        />
        Search as you type
      </label>
    </div>
  );
}
