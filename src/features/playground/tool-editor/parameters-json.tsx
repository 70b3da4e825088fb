import { CircleAlert } from 'lucide-react';
import { useState } from 'react';

import { checkJson } from '../../../conversation/reply/json-check.ts';
import { isJsonObject, parseJson, type Json } from '../../../lib/json.ts';
import { JsonEditor } from '../../../ui/display/json-editor.tsx';

interface ParametersJsonProps {
  /** Of the tool. */
  name: string;
  value: Json | undefined;
  onChange: (value: Json) => void;
}

/** The parameters as JSON. What is typed stays as it was typed; it counts as soon as it is an object. */
export function ParametersJson({ name, value, onChange }: ParametersJsonProps) {
  const current = value === undefined ? '' : JSON.stringify(value, null, 2);
  const [typed, setTyped] = useState<{ text: string; for: string }>();
  // Changed elsewhere since: what was typed here is no longer about it.
  const text = typed?.for === current ? typed.text : current;
  const problem = problemOf(text);
  const change = (next: string) => {
    const reading = parseJson(next);
    const isObject = reading.ok && isJsonObject(reading.value);
    setTyped({ text: next, for: isObject ? JSON.stringify(reading.value, null, 2) : current });
    if (isObject) onChange(reading.value);
  };
  return (
    <div className="parameters-json">
      <JsonEditor
        label={`Parameters of ${name}`}
        value={text}
        onChange={change}
        minLines={6}
        problem={problem}
      />
      {problem && (
        <p className="er">
          <CircleAlert className="i s" aria-hidden />
          {problem.message}
        </p>
      )}
    </div>
  );
}

function problemOf(text: string): { message: string; at?: number } | undefined {
  const reading = parseJson(text);
  if (reading.ok)
    return isJsonObject(reading.value) ? undefined : { message: 'Parameters must be a JSON Schema object.' };
  const check = checkJson(text);
  const message = 'Not valid JSON yet. The last valid parameters are kept.';
  return check.state === 'broken' ? { message, at: check.at } : { message };
}
