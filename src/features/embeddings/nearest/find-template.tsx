import { useState } from 'react';
import { useStore } from 'zustand';

import { Select } from '../../../ui/controls/select.tsx';
import { Switch } from '../../../ui/controls/switch.tsx';
import { TextArea } from '../../../ui/controls/text-area.tsx';
import { useLabState } from '../hooks/use-lab.ts';
import { shownSet } from '../lab/lab-store.ts';
import { findStore, plainTemplate } from './find-store.ts';

const instruction =
  'Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: {query}';
const templates = [
  { value: 'plain', label: 'as typed' },
  { value: 'qwen3', label: 'Qwen3 instruction' },
  { value: 'own', label: 'own' },
] as const;
type TemplateName = (typeof templates)[number]['value'];

/** How a query is sent, and whether each pause sends it. */
export function FindTemplate() {
  const { template, embedsAsTyped } = useStore(findStore);
  const model = useLabState((state) => shownSet(state)?.model ?? '');
  const [isOwn, setIsOwn] = useState(false);
  const name: TemplateName =
    isOwn || (template !== plainTemplate && template !== instruction)
      ? 'own'
      : template === plainTemplate
        ? 'plain'
        : 'qwen3';
  return (
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
      <TextArea
        className="area"
        aria-label="Template text"
        value={template}
        onText={(text) => {
          setIsOwn(true);
          findStore.setState({ template: text });
        }}
      />
      <p className="mut">
        {'{query}'} stands for what you type.
        {/qwen3/i.test(model) &&
          ' Qwen3 embedding models expect an instruction on the query; without it quality drops by 1 to 5%.'}
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
  );
}
