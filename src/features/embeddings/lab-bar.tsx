import { clsx } from 'clsx';
import { useState } from 'react';

import { getModelDimensions, getDimensionsSupport } from '../../embedding/items/model-dimensions.ts';
import { formatCount } from '../../lib/format.ts';
import { useAppServices } from '../../state/contexts.tsx';
import type { Gateways } from '../../state/gateways.ts';
import type { LabInput } from '../../state/lab/lab-input.ts';
import { getGatewayBlocker, getShownSet, type ModelSlot } from '../../state/lab/lab-state.ts';
import { Button } from '../../ui/controls/button.tsx';
import type { ComboboxOption } from '../../ui/controls/combobox-options.ts';
import { Combobox } from '../../ui/controls/combobox.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { useAnnounce } from '../../ui/display/live-region.tsx';
import { TierMark } from '../../ui/display/tier-mark.tsx';
import { Code, Plus, X } from '../../ui/icons.tsx';
import { Download } from '../../ui/late-icons.tsx';
import { HelpTip } from '../../ui/overlays/help-tip.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { GatewayLabel } from '../health/gateway-label.tsx';
import { useGatewayStatus, useGatewayStatuses } from '../health/use-status.ts';
import { ModelPicker } from '../models/model-picker.tsx';
import { useLab, useLabState } from './hooks/use-lab.ts';
import { saveLabFile, type LabFileFormat } from './lab-export.ts';

const formats = [
  { value: 'base64', label: 'base64', note: '3 to 4 times smaller' },
  { value: 'float', label: 'float' },
  { value: 'none', label: 'not sent' },
] as const;

/** Returns true if requests to the first model omit this field; the field's control shows this. */
function isFieldOmitted(
  { leftOut = [], models }: LabInput,
  name: string,
  { getModelKey }: Pick<Gateways, 'getModelKey'>,
): boolean {
  const key = getModelKey(models.A);
  return leftOut.some(
    (omitted) => getModelKey(omitted) === key && omitted.of === 'texts' && omitted.field === name,
  );
}

const dividerClasses = 'mx-1 h-4 w-px bg-line-2 max-phone:hidden';
const fieldClasses = 'inline-flex min-w-0 items-center gap-1.5 text-12';

/** Model and request settings. `isShort` shows only the models. The main button overlays the right end. */
export function LabBar({ isShort }: { isShort: boolean }) {
  const { edit, showTab, setSecondModel } = useLab();
  const { gateways } = useAppServices();
  const format = useLabState(({ input }) =>
    isFieldOmitted(input, 'encoding_format', gateways) ? 'none' : input.format,
  );
  const hasSecondModel = useLabState((state) => state.hasSecondModel);
  const [isAdding, setIsAdding] = useState(false);

  return (
    <div className="col-span-full row-start-1 flex min-h-12 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-bench py-1.5 pr-[188px] pl-4 max-phone:pr-4">
      {/* Kept for screen readers on phones, because the page needs a heading. */}
      <h1 className="text-13 font-semibold max-phone:sr-only">Embeddings</h1>
      <span className={dividerClasses} />
      <span className="inline-flex min-w-0 max-phone:-order-2 max-phone:flex-[0_1_calc(100%-168px)]">
        <LabModelPicker label="Model" slot="A" />
      </span>
      <span className="hidden h-12 w-40 max-phone:-order-1 max-phone:block" />
      <UnknownGatewayNote slot="A" />
      {hasSecondModel ? (
        <span className={`${fieldClasses} max-phone:w-full`}>
          <span className="text-ink-3">vs.</span>
          <LabModelPicker label="Second model" slot="B" startsOpen={isAdding} />
          <IconButton size="small" label="Remove second model" onClick={() => setSecondModel(false)}>
            <X className="icon-14" aria-hidden />
          </IconButton>
        </span>
      ) : (
        <IconButton
          label="Compare with another model"
          onClick={() => {
            setIsAdding(true);
            setSecondModel(true);
          }}
        >
          <Plus className="icon-14" aria-hidden />
        </IconButton>
      )}
      <UnknownGatewayNote slot="B" />
      {!isShort && (
        <>
          <span className={dividerClasses} />
          <DimensionsField />
          <span className={fieldClasses}>
            <span className="font-mono text-mono-12">encoding_format</span>
            <TierMark fill="half" label="Documented" />
            <Select
              label="encoding_format"
              value={format}
              options={formats}
              onChange={(next) => edit({ format: next })}
            />
          </span>
          <span className="grow" />
          <Button variant="ghost" onClick={() => showTab('wire')}>
            <Code className="icon-14" aria-hidden />
            Get code
          </Button>
        </>
      )}
      <ExportMenu />
    </div>
  );
}

/** Picker for a model of the lab, with the label of its gateway if the server has several. */
export function LabModelPicker({
  label,
  slot,
  className,
  startsOpen = false,
}: {
  label: string;
  slot: ModelSlot;
  /** Classes of the element around the field. */
  className?: string;
  /** True to take the focus and open the list when mounted. */
  startsOpen?: boolean;
}) {
  const { edit } = useLab();
  const models = useLabState((state) => state.input.models);
  const choice = models[slot];
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-x-1.5 max-phone:flex-col max-phone:items-start">
      {choice.model !== '' && <GatewayLabel name={choice.gateway} />}
      <span className={clsx('inline-flex max-w-full min-w-0 text-13', className)}>
        <ModelPicker
          label={label}
          startsOpen={startsOpen}
          value={choice}
          onPick={(picked) => edit({ models: { ...models, [slot]: picked } })}
          kind="embedding"
        />
      </span>
    </span>
  );
}

/** Says that the server does not have the gateway of a model; renders nothing if it does. */
function UnknownGatewayNote({ slot }: { slot: ModelSlot }) {
  const { gateways } = useAppServices();
  // The note changes with the gateways of the server.
  useGatewayStatuses();
  const choice = useLabState((state) => state.input.models[slot]);
  const problem = getGatewayBlocker(choice, gateways);
  return problem === undefined ? null : <span className="text-12 text-warn-ink">{problem}</span>;
}

const exportFormats: readonly { format: LabFileFormat; label: string; hint: string }[] = [
  { format: 'json', label: 'JSON', hint: 'Same format as the gateway response' },
  { format: 'jsonl', label: 'JSON Lines', hint: 'One text and its vector per line' },
  { format: 'csv', label: 'CSV', hint: '9 significant digits' },
  { format: 'npy', label: 'NPY and IDs', hint: 'float32 for NumPy' },
  { format: 'report', label: 'Report', hint: 'Settings, seeds, results' },
];

/** Menu that exports the loaded results as files. */
function ExportMenu() {
  const lab = useLab();
  const set = useLabState(getShownSet);
  const gateway = useGatewayStatus(set?.gateway);
  const hasSeveralGateways = useGatewayStatuses().length > 1;
  const announce = useAnnounce();
  if (!set) return null;
  const save = async (format: LabFileFormat) => {
    announce(await saveLabFile(format, lab, hasSeveralGateways ? gateway?.name : undefined));
  };
  return (
    <Menu
      label="Save as file"
      items={exportFormats.map(({ format, label, hint }) => ({
        label,
        hint,
        onPick: () => lab.reportFailure(save(format)),
      }))}
    >
      <Download className="icon-16" aria-hidden />
    </Menu>
  );
}

const notSent = 'not sent';
const maxDimensions = 65_536;

/** Returns the number of dimensions in a text, or `undefined`. */
function parseDimensions(text: string): number | undefined {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return number >= 1 && number <= maxDimensions ? number : undefined;
}

/** For a typed number only the same number is suggested, because accepting a different suggestion would replace it. */
const filterOptions = (options: readonly ComboboxOption[], query: string) =>
  parseDimensions(query) === undefined ? options.filter(({ id }) => id.startsWith(query.toLowerCase())) : [];

/** Field for any number of dimensions. Its suggestions are the sizes known for the model ID (§2.6). */
function DimensionsField() {
  const { edit } = useLab();
  const { gateways } = useAppServices();
  const model = useLabState((state) => state.input.models.A.model);
  const dimensions = useLabState(({ input }) =>
    isFieldOmitted(input, 'dimensions', gateways) ? undefined : input.dimensions,
  );
  const modelDimensions = getModelDimensions(model);
  const describeSupport = (number: number) =>
    getDimensionsSupport(model, number) === 'yes'
      ? `${formatCount(number * 4)} B per vector`
      : 'support unknown';
  const createOption = (text: string): ComboboxOption => {
    const number = parseDimensions(text);
    return {
      id: text,
      label: number === undefined ? 'must be a whole number, 1 or more' : describeSupport(number),
    };
  };
  const options = [
    {
      id: notSent,
      label: modelDimensions ? `returns ${formatCount(modelDimensions.native)}` : 'model default',
    },
    ...(modelDimensions?.values ?? []).map((value) => createOption(String(value))),
  ];
  const isUncertain =
    dimensions !== undefined && model !== '' && getDimensionsSupport(model, dimensions) !== 'yes';
  return (
    <span className={fieldClasses}>
      <span className="font-mono text-mono-12">dimensions</span>
      <TierMark fill="half" label="Documented for one model series only" />
      <Combobox
        label="dimensions"
        className="border border-edge bg-raised"
        value={dimensions === undefined ? notSent : String(dimensions)}
        options={options}
        filter={filterOptions}
        typedOption={createOption}
        renderOption={({ id, label }) => (
          <span className="flex w-full items-baseline gap-3">
            <span className="font-mono text-mono-12">{id}</span>
            <small className="ml-auto text-11 text-ink-3">{label}</small>
          </span>
        )}
        onPick={({ id }) => {
          const number = parseDimensions(id);
          if (id === notSent) edit({ dimensions: undefined });
          else if (number !== undefined) edit({ dimensions: number });
        }}
      />
      {isUncertain && (
        <span className="inline-flex items-center text-11 text-ink-3">
          support unknown
          <HelpTip subject="dimensions">
            The model ID does not show whether this size is supported. Embed to find out.
          </HelpTip>
        </span>
      )}
    </span>
  );
}
