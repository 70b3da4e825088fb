import { clsx } from 'clsx';
import { useCallback, useMemo, useState } from 'react';

import { mergeAbilities } from '../../conversation/setup/learned-abilities.ts';
import type { ModelMarks } from '../../conversation/setup/model-marks.ts';
import { findModel } from '../../gateway/models/model-record.ts';
import { useLearnedRecords, usePrefs } from '../../state/contexts.tsx';
import { Combobox } from '../../ui/controls/combobox.tsx';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { rankModels } from './match-models.ts';
import { ModelId } from './model-id.tsx';
import { PickerFoot, PickerHead, PickerRow } from './model-picker-list.tsx';
import type { ModelPickerProps } from './model-picker.tsx';
import { buildPickerOptions, type FilterAbility, type ModelOption } from './picker-options.ts';
import { describeEmptyList, useModels } from './use-models.ts';

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

/** The field of `ModelPicker`, with its list. */
export function ModelPickerField(props: ModelPickerProps) {
  const { value, onPick, kind, label = 'Model', focusTarget, listBeside } = props;
  const list = useModels();
  const favourites = usePrefs((state) => state.favouriteModels);
  const recent = usePrefs((state) => state.recentModels);
  const [requiredAbilities, setRequiredAbilities] = useState<readonly FilterAbility[]>(noItems);
  // The picker is as wide as its lane, and its rows have two lines.
  const isNarrow = useMediaQuery('(width < 900px)');
  const isBeside = isNarrow && listBeside !== undefined;
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

  const renderOption = useCallback(
    (option: ModelOption, query: string) => (
      <PickerRow option={option} query={query} isListed={findModel(listedModels, option.id) !== undefined} />
    ),
    [listedModels],
  );
  const renderHeader = (matches: { count: number; total: number }) => (
    <PickerHead
      kind={kind}
      requiredAbilities={requiredAbilities}
      onToggleAbility={toggleAbility}
      list={list}
      hasContext={options.some(({ model }) => model?.contextTokens)}
      {...matches}
    />
  );

  return (
    <Combobox
      label={label}
      {...(focusTarget ? { focusTarget } : {})}
      value={value}
      {...(value === '' ? {} : { displayContent: <ModelId id={value} /> })}
      placeholder="Choose a model"
      className="model-picker max-w-full has-[>input[aria-expanded=true]]:flex-[0_1_300px]"
      listClassName={clsx(
        'model-picker group/models w-[min(780px,calc(100vw-16px))] has-data-price:w-[min(840px,calc(100vw-16px))]',
        isBeside && 'not-has-data-price:w-[calc(var(--anchor-width)-16px)]',
      )}
      listLayout={isNarrow ? 'stacked' : 'columns'}
      fillsRows
      options={options}
      onPick={({ id }, alternate) => onPick(id, alternate)}
      filter={filter}
      typedOption={createTypedOption}
      optionHeightPx={isNarrow ? narrowRowPx : rowPx}
      listBeside={isBeside ? listBeside : undefined}
      emptyText={describeEmptyList(list)}
      renderOption={renderOption}
      header={renderHeader}
      footer={<PickerFoot kind={kind} value={value} list={list} />}
    />
  );
}
