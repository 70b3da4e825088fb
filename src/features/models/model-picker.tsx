import { clsx } from 'clsx';
import { useCallback, useMemo, useState } from 'react';

import { mergeAbilities } from '../../conversation/setup/learned-abilities.ts';
import type { ModelMarks } from '../../conversation/setup/model-marks.ts';
import { findModel } from '../../gateway/models/model-record.ts';
import { createPreloadableImport } from '../../lib/lazy-import.ts';
import { useLearnedRecords, usePrefs } from '../../state/use-playground.tsx';
import { Combobox } from '../../ui/controls/combobox.tsx';
import type { FocusTarget } from '../../ui/focus/focus-target.ts';
import { useIsNarrowViewport } from '../../ui/hooks/use-is-narrow-viewport.ts';
import type { LazyModule } from '../../ui/hooks/use-lazy-module.ts';
import { rankModels } from './match-models.ts';
import { ModelId } from './model-id.tsx';
import type { modelPickerList } from './model-picker-list.tsx';
import {
  buildPickerOptions,
  type FilterAbility,
  type ModelOption,
  type PickerKind,
} from './picker-options.ts';
import { describeEmptyList, useModels } from './use-models.ts';

/** Renderer of the list. Until it is loaded, the list can be opened and used, but shows only IDs. */
const lazyList: LazyModule<typeof modelPickerList> = {
  load: createPreloadableImport(
    async () => (lazyList.loaded = (await import('./model-picker-list.tsx')).modelPickerList),
    true,
  ),
};

interface ModelPickerProps {
  /** Current model ID; empty if none is selected. */
  value: string;
  /** `isAlternate` is true if Ctrl or Cmd was held. */
  onPick: (model: string, isAlternate: boolean) => void;
  kind: PickerKind;
  /** Accessible name. */
  label?: string;
  /** Focus target of the field. */
  focusTarget?: FocusTarget;
}

/** Classes of the list: wider if it has prices, as wide as the lane on narrow screens. */
const listClasses = clsx(
  'group/models w-[min(780px,calc(100vw-16px))] has-data-price:w-[min(840px,calc(100vw-16px))]',
  'narrow:in-[.lane-header]:supports-[width:anchor-size(width)]:mx-2',
  'narrow:in-[.lane-header]:not-has-data-price:supports-[width:anchor-size(width)]:w-[calc(anchor-size(width)-16px)]',
);

const rowPx = 36;
/** Height of a row with two lines on touch screens, in px. */
const narrowRowPx = 48;

const createTypedOption = (text: string): ModelOption => ({
  id: text,
  label: `Use “${text}” as a model ID`,
  isTyped: true,
});
const noItems: readonly never[] = [];
const noMarks: ModelMarks = {};

/** Selects a model from the gateway's list, or any typed ID. */
export function ModelPicker({ value, onPick, kind, label = 'Model', focusTarget }: ModelPickerProps) {
  const [pickerList, loadPickerList] = useLazyList();
  const list = useModels();
  const favourites = usePrefs((state) => state.favouriteModels);
  const recent = usePrefs((state) => state.recentModels);
  const [requiredAbilities, setRequiredAbilities] = useState<readonly FilterAbility[]>(noItems);
  const isNarrow = useIsNarrowViewport();
  const marks = usePrefs((state) => state.modelMarks) ?? noMarks;
  const learned = useLearnedRecords();
  const listedModels = list.data?.models ?? noItems;
  const models = useMemo(
    () =>
      listedModels.map((model) =>
        Object.hasOwn(learned, model.id) || Object.hasOwn(marks, model.id)
          ? { ...model, abilities: mergeAbilities(model, learned, marks) }
          : model,
      ),
    [listedModels, learned, marks],
  );
  const options = useMemo(
    () => buildPickerOptions({ models, kind, favourites, recent, requiredAbilities }),
    [models, kind, favourites, recent, requiredAbilities],
  );

  const filter = useCallback(
    (candidates: readonly ModelOption[], query: string) => rankModels(candidates, query, recent),
    [recent],
  );
  const toggleAbility = (ability: FilterAbility) => {
    setRequiredAbilities(
      requiredAbilities.includes(ability)
        ? requiredAbilities.filter((required) => required !== ability)
        : [...requiredAbilities, ability],
    );
  };

  const renderHeader = (matches: { count: number; total: number }) =>
    pickerList ? (
      <pickerList.Head
        kind={kind}
        requiredAbilities={requiredAbilities}
        onToggleAbility={toggleAbility}
        list={list}
        hasContext={options.some(({ model }) => model?.contextTokens)}
        {...matches}
      />
    ) : (
      <HeadPlaceholder hasFilters={kind === 'chat'} hasColumns={matches.total > 0} />
    );

  return (
    <Combobox
      label={label}
      {...(focusTarget ? { focusTarget } : {})}
      value={value}
      {...(value === '' ? {} : { displayContent: <ModelId id={value} /> })}
      placeholder="Choose a model"
      className="model-picker max-w-full has-[>input[aria-expanded=true]]:flex-[0_1_300px]"
      listClassName={listClasses}
      fillsRows
      onApproach={loadPickerList}
      options={options}
      onPick={({ id }, alternate) => onPick(id, alternate)}
      filter={filter}
      typedOption={createTypedOption}
      optionHeightPx={isNarrow ? narrowRowPx : rowPx}
      listBeside={isNarrow ? '.lane-header' : undefined}
      emptyText={describeEmptyList(list)}
      renderOption={(option, query) =>
        pickerList ? (
          <pickerList.Row
            option={option}
            query={query}
            isListed={findModel(listedModels, option.id) !== undefined}
          />
        ) : (
          <span
            className={clsx(
              'truncate pr-3.5 pl-8.5',
              !option.isTyped && 'text-[14px]/5 font-550 narrow:pb-4.5',
            )}
          >
            <ModelId id={option.label} />
          </span>
        )
      }
      header={renderHeader}
      footer={pickerList ? <pickerList.Foot kind={kind} value={value} list={list} /> : <span />}
    />
  );
}

/** Returns the renderer of the list and a function that loads it. */
function useLazyList() {
  const [pickerList, setPickerList] = useState(lazyList.loaded);
  const loadPickerList = () => {
    if (pickerList) return;
    // Applied immediately if the renderer is already loaded.
    setPickerList(lazyList.loaded);
    void lazyList.load().then(setPickerList, () => undefined);
  };
  return [pickerList, loadPickerList] as const;
}

/** Placeholder with the height of the header, so that no rows move when the header loads. */
function HeadPlaceholder({ hasFilters, hasColumns }: { hasFilters: boolean; hasColumns: boolean }) {
  return (
    <>
      {hasFilters && <span className="h-6 w-54 max-phone:h-8" />}
      <span className="h-6 w-30" />
      {hasColumns && <span className="h-5 basis-full narrow:hidden" />}
    </>
  );
}
