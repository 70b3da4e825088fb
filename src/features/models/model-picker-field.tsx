import { clsx } from 'clsx';
import { groupBy } from 'es-toolkit';
import { useCallback, useMemo, useState } from 'react';

import { withModelChoice } from '../../conversation/setup/model-key.ts';
import { useAppServices, usePrefs } from '../../state/contexts.tsx';
import { Combobox } from '../../ui/controls/combobox.tsx';
import { useMediaQuery } from '../../ui/hooks/use-media-query.ts';
import { useGatewayStatuses } from '../health/use-status.ts';
import { rankModels } from './match-models.ts';
import { ModelId } from './model-id.tsx';
import { PickerFoot, PickerHead, PickerRow } from './model-picker-list.tsx';
import type { ModelPickerProps } from './model-picker.tsx';
import { listModelOrders, type FilterAbility, type ModelOption } from './picker-options.ts';
import { useModelLists } from './use-model-lists.ts';
import { useModelOptions } from './use-model-options.ts';
import { usePrices } from './use-model-price.ts';
import { describeEmptyList } from './use-models.ts';

const rowPx = 36;
/** Height of a row with two lines on touch screens, in px. */
const narrowRowPx = 48;

const noItems: readonly never[] = [];

/** The field of `ModelPicker`, with its list. */
export function ModelPickerField(props: ModelPickerProps) {
  const { value, onPick, kind, label = 'Model', focusTarget, listBeside, startsOpen = false } = props;
  const { gateways, prefs } = useAppServices();
  const statuses = useGatewayStatuses();
  const hasSeveralGateways = statuses.length > 1;
  const lists = useModelLists();
  const favourites = usePrefs((state) => state.favouriteModels);
  const recent = usePrefs((state) => state.recentModels);
  const [requiredAbilities, setRequiredAbilities] = useState<readonly FilterAbility[]>(noItems);
  // The picker is as wide as its lane, and its rows have two lines.
  const isNarrow = useMediaQuery('(width < 900px)');
  const isBeside = isNarrow && listBeside !== undefined;
  const order = usePrefs((state) => state.modelOrder);
  const options = useModelOptions({ kind, favourites, recent, requiredAbilities, order });
  const getPrice = usePrices()?.getModelPrice;
  const orders = useMemo(() => listModelOrders(options, getPrice), [options, getPrice]);
  const valueKey = gateways.getModelKey(value);
  const filter = useCallback(
    (candidates: readonly ModelOption[], query: string) => {
      const matches = rankModels(candidates, query, [valueKey, ...recent]);
      return hasSeveralGateways ? Object.values(groupBy(matches, ({ group = '' }) => group)).flat() : matches;
    },
    [recent, valueKey, hasSeveralGateways],
  );
  const createTypedOption = useCallback(
    (text: string): ModelOption => ({
      id: text,
      label: `Use “${text}” as a model ID`,
      choice: withModelChoice(value, { ...value, model: text }),
      isTyped: true,
    }),
    [value],
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
      <PickerRow
        option={option}
        query={query}
        isListed={gateways.getListedModel(option.choice) !== undefined}
      />
    ),
    [gateways],
  );
  const hasDescriptions = options.some(({ model }) => model?.description);
  const namedLists = lists.map((list, index) => {
    const label = hasSeveralGateways ? statuses[index]?.label : undefined;
    return { list, ...(label === undefined ? {} : { label }) };
  });
  const renderHeader = (matches: { count: number; total: number }) => (
    <PickerHead
      kind={kind}
      requiredAbilities={requiredAbilities}
      onToggleAbility={toggleAbility}
      orders={orders}
      order={order}
      onOrder={(modelOrder) => prefs.setState({ modelOrder })}
      lists={namedLists}
      hasContext={orders.includes('context')}
      {...matches}
    />
  );
  const renderFooter = (marked: ModelOption | undefined) => (
    <PickerFoot
      kind={kind}
      value={value}
      lists={namedLists}
      description={hasDescriptions ? (marked?.model?.description ?? '') : undefined}
    />
  );

  return (
    <Combobox
      label={label}
      {...(focusTarget ? { focusTarget } : {})}
      value={value.model}
      selectedId={valueKey}
      keepsGroups={hasSeveralGateways}
      startsOpen={startsOpen}
      {...(value.model === '' ? {} : { displayContent: <ModelId id={value.model} /> })}
      placeholder="Choose a model"
      className="model-picker max-w-full has-[>input[aria-expanded=true]]:flex-[0_1_300px]"
      listClassName={clsx(
        'model-picker group/models w-[min(780px,calc(100vw-16px))] has-data-price:w-[min(840px,calc(100vw-16px))]',
        isBeside && 'not-has-data-price:w-[calc(var(--anchor-width)-16px)]',
      )}
      listLayout={isNarrow ? 'stacked' : 'columns'}
      fillsRows
      options={options}
      onPick={({ choice }, alternate) => onPick(choice, alternate)}
      filter={filter}
      typedOption={createTypedOption}
      optionHeightPx={isNarrow ? narrowRowPx : rowPx}
      listBeside={isBeside ? listBeside : undefined}
      emptyText={describeEmptyList(lists)}
      renderOption={renderOption}
      header={renderHeader}
      footer={renderFooter}
    />
  );
}
