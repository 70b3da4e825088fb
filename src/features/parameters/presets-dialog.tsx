import { clsx } from 'clsx';
import { useState, type ComponentProps } from 'react';
import { useStore } from 'zustand';

import { getContentText } from '../../conversation/request/request.ts';
import { compareSeq } from '../../conversation/session/turn-tree.ts';
import type { Setup } from '../../conversation/session/types.ts';
import { buildRequestFields } from '../../conversation/setup/params.ts';
import {
  findPresets,
  pickPresetParts,
  presetParts,
  describePreset,
  type Preset,
  type PresetPart,
} from '../../conversation/setup/presets.ts';
import { formatError } from '../../lib/format-error.ts';
import { formatList, pluralize } from '../../lib/format.ts';
import {
  usePresets,
  useAppServices,
  useLibraryServices,
  useSession,
  useSessionServices,
} from '../../state/contexts.tsx';
import { reportFailure } from '../../state/notices.ts';
import { Button, TextButton } from '../../ui/controls/button.tsx';
import { CheckboxField } from '../../ui/controls/checkbox.tsx';
import { inputVariants } from '../../ui/controls/field.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { createFocusTarget, getNextFocusAttributes } from '../../ui/focus/focus-target.ts';
import { moveFocusOnRemoval } from '../../ui/focus/use-focus-successor.ts';
import { Pencil, Trash2 } from '../../ui/late-icons.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';

/** Button that opens the field for a new name. */
const renameButton = createFocusTarget('rename preset');

/** Field for a name that fills its row. */
function NameField(props: Omit<ComponentProps<'input'>, 'className'>) {
  return (
    <input
      ref={moveFocusOnRemoval}
      className={clsx(
        inputVariants(),
        'h-7 w-full min-w-14 flex-1 px-1.75 text-left text-13 normal-nums max-phone:h-11 max-phone:text-[16px]',
      )}
      dir="auto"
      maxLength={100}
      autoFocus
      {...props}
    />
  );
}

interface PresetsDialogProps {
  setup: Setup;
  sourceLabel: string;
  onApply: (preset: Preset) => void;
  onClose: () => void;
}

/** Dialog that saves a setup under a name and lists the presets. */
export function PresetsDialog({ setup, sourceLabel, onApply, onClose }: PresetsDialogProps) {
  const { notices } = useAppServices();
  const { presets: presetStore } = useLibraryServices();
  const presets = usePresets();
  const [query, setQuery] = useState('');
  const matches = findPresets(presets, query);
  const [removedPresets, setRemovedPresets] = useState<readonly Preset[]>([]);

  const remove = (preset: Preset) => {
    reportFailure(
      notices,
      presetStore.remove(preset.id).then(() => setRemovedPresets((current) => [...current, preset])),
    );
  };
  const restore = (preset: Preset) => {
    reportFailure(
      notices,
      presetStore
        .restore(preset)
        .then(() => setRemovedPresets((current) => current.filter((item) => item.id !== preset.id))),
    );
  };

  return (
    <Dialog title="Presets" onClose={onClose}>
      <div className="flex flex-col gap-4">
        <SaveForm setup={setup} sourceLabel={sourceLabel} names={presets.map((preset) => preset.name)} />
        {presets.length > 0 && (
          <input
            type="search"
            className={clsx(
              inputVariants(),
              'h-8 w-full px-2.25 text-13 max-phone:h-11 max-phone:text-[16px]',
            )}
            aria-label="Find a preset"
            placeholder="Find by name, system prompt or message"
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
        )}
        {presets.length > 0 && matches.length === 0 && (
          <p className="text-12 text-ink-3" role="status">
            No presets match.
          </p>
        )}
        {matches.length > 0 && (
          <ul aria-label="Saved presets" className="border-t border-line">
            {matches.map((preset) => (
              <PresetRow
                key={preset.id}
                preset={preset}
                isNameTaken={(name) => presets.some((item) => item.name === name && item.id !== preset.id)}
                onApply={() => onApply(preset)}
                onRemove={() => remove(preset)}
              />
            ))}
          </ul>
        )}
        <div role="status">
          {removedPresets.map((preset) => (
            <p key={preset.id} className="min-h-5 text-12 text-ink-3 normal-nums">
              Deleted {preset.name}. <TextButton onClick={() => restore(preset)}>Undo</TextButton>
            </p>
          ))}
        </div>
      </div>
    </Dialog>
  );
}

interface SaveFormProps {
  setup: Setup;
  sourceLabel: string;
  names: readonly string[];
}

function SaveForm({ setup, sourceLabel, names }: SaveFormProps) {
  const { presets } = useLibraryServices();
  const [name, setName] = useState('');
  const [checkedParts, setCheckedParts] = useState<readonly PresetPart[]>(['model', 'system', 'params']);
  const message = useMessageText();
  const variables = useSession((data) => data.session.variables) ?? {};
  const unavailableParts: Partial<Record<PresetPart, boolean>> = {
    message: message === '',
    variables: Object.keys(variables).length === 0,
  };
  const parts = checkedParts.filter((part) => unavailableParts[part] !== true);
  const [saveMessage, setSaveMessage] = useState('');
  const trimmedName = name.trim();
  const missingInput =
    trimmedName === '' ? 'Enter a name.' : parts.length === 0 ? 'Choose what to save.' : '';
  const partLabels: Record<PresetPart, string> = {
    model: setup.model === '' ? 'Model (none chosen)' : `Model ${setup.model}`,
    system:
      setup.system === ''
        ? 'System prompt (empty)'
        : `System prompt, ${pluralize(setup.system.split('\n').length, 'line')}`,
    params: `Parameters, ${pluralize(Object.keys(buildRequestFields(setup.params)).length, 'field')} sent`,
    message: message === '' ? 'Message (none)' : `Message “${shorten(message)}”`,
    variables:
      unavailableParts.variables === true
        ? 'Variables (none)'
        : `Variables ${formatList(Object.keys(variables))}`,
  };

  const save = async () => {
    try {
      await presets.save(trimmedName, pickPresetParts({ ...setup, message, variables }, parts));
      setSaveMessage(`Saved ${trimmedName}.`);
      setName('');
    } catch (error) {
      setSaveMessage(`Could not save the preset: ${formatError(error)}`);
    }
  };

  return (
    <form
      className="grid gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h3 className="text-13 font-600 normal-nums">Save the setup of {sourceLabel}</h3>
      <div className="mb-1 flex gap-2">
        <NameField
          aria-label="Preset name"
          placeholder="Name"
          value={name}
          onInput={(event) => {
            setName(event.currentTarget.value);
            setSaveMessage('');
          }}
        />
        <Button
          type="submit"
          variant="primary"
          disabled={missingInput !== ''}
          title={missingInput === '' ? undefined : missingInput}
        >
          {names.includes(trimmedName) ? 'Replace' : 'Save'}
        </Button>
      </div>
      {presetParts.map((part) => (
        <CheckboxField
          key={part}
          label={partLabels[part]}
          checked={parts.includes(part)}
          disabled={unavailableParts[part]}
          onChange={(isChecked) =>
            setCheckedParts((current) =>
              isChecked ? [...current, part] : current.filter((item) => item !== part),
            )
          }
        />
      ))}
      <p className="min-h-5 text-12 text-ink-3 normal-nums" role="status">
        {saveMessage !== ''
          ? saveMessage
          : names.includes(trimmedName)
            ? `${trimmedName} already exists. Saving replaces it.`
            : missingInput}
      </p>
    </form>
  );
}

/** Returns the text in the composer, or that of the last prompt if there is none. */
function useMessageText(): string {
  const { drafts } = useSessionServices();
  const sessionId = useSession((data) => data.session.id) ?? '';
  const draftText = useStore(drafts.state, (state) => state[sessionId]?.text ?? '');
  const lastText = useSession((data) => {
    const prompt = Object.values(data.prompts).toSorted(compareSeq).at(-1);
    const messages = (prompt?.messages ?? []).filter(({ role }) => role === 'user');
    return messages.map(({ content }) => getContentText(content)).join('\n\n');
  });
  return draftText.trim() === '' ? (lastText ?? '') : draftText;
}

const maxLabelChars = 60;

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > maxLabelChars ? `${line.slice(0, maxLabelChars - 1)}…` : line;
}

interface PresetRowProps {
  preset: Preset;
  isNameTaken: (name: string) => boolean;
  onApply: () => void;
  onRemove: () => void;
}

function PresetRow({ preset, isNameTaken, onApply, onRemove }: PresetRowProps) {
  const { notices } = useAppServices();
  const { presets } = useLibraryServices();
  const [name, setName] = useState<string>();
  const problem = name !== undefined && isNameTaken(name.trim()) ? 'Another preset has this name.' : '';

  const preview = shorten(preset.setup.message ?? preset.setup.system ?? '');

  const finishRename = () => {
    if (name === undefined || problem !== '') return;
    if (name.trim() !== '') reportFailure(notices, presets.rename(preset.id, name.trim()));
    setName(undefined);
  };

  return (
    <li className="flex min-h-11 items-center gap-1 border-b border-line py-1">
      <div className="mr-2 grid min-w-0 flex-1">
        {name === undefined ? (
          <b dir="auto" className="truncate font-550">
            {preset.name}
          </b>
        ) : (
          <NameField
            {...getNextFocusAttributes(renameButton)}
            aria-label={`New name for ${preset.name}`}
            aria-invalid={problem !== ''}
            value={name}
            onFocus={(event) => event.currentTarget.select()}
            onInput={(event) => setName(event.currentTarget.value)}
            onBlur={finishRename}
            onKeyDown={(event) => {
              if (event.key === 'Enter') finishRename();
              if (event.key !== 'Escape') return;
              // Escape cancels the renaming, but does not close the dialog.
              event.preventDefault();
              setName(undefined);
            }}
          />
        )}
        <small className="truncate text-12 text-ink-3 normal-nums">
          {problem === '' ? describePreset(preset) : problem}
        </small>
        {preview !== '' && (
          <small className="truncate text-12 text-ink-2 normal-nums" dir="auto">
            {preview}
          </small>
        )}
      </div>
      <Button size="small" onClick={onApply}>
        Apply
      </Button>
      <IconButton
        size="small"
        label={`Rename ${preset.name}`}
        tip="Rename"
        {...renameButton.attributes}
        onClick={() => setName(preset.name)}
      >
        <Pencil className="icon-14" aria-hidden />
      </IconButton>
      <IconButton size="small" label={`Delete ${preset.name}`} tip="Delete" onClick={onRemove}>
        <Trash2 className="icon-14" aria-hidden />
      </IconButton>
    </li>
  );
}
