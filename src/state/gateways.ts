/** Gateways of the server, and what this page knows about each of them. */
import { createStore, type StoreApi } from 'zustand/vanilla';

import type { PriceSource } from '../conversation/reply/cost.ts';
import type { ModelChoice } from '../conversation/session/types.ts';
import { buildModelKey } from '../conversation/setup/model-key.ts';
import type { Gateway, ServerClient } from '../gateway/client.ts';
import { replaceWithDemoGateway, type GatewayStatus } from '../gateway/http/status.ts';
import { findModel, type ModelRecord } from '../gateway/models/model-record.ts';
import { formatList } from '../lib/format.ts';
import { onlyGatewayName } from '../lib/gateway-variables.ts';
import type { GatewaySignals } from './gateway-signals.ts';
import type { RunQueue } from './runs/run-queue.ts';

/** State of one gateway in this page. */
export interface GatewayServices {
  /** Evidence about the key from model lists and chat, for the health badge. */
  signals: GatewaySignals;
  queue: RunQueue;
  /** Most recent model list. */
  models: readonly ModelRecord[];
}

/** In all functions, a missing name means the first gateway. */
export interface Gateways {
  /** The gateways in the order of the server's configuration; empty until the server has reported them. */
  statuses: StoreApi<readonly GatewayStatus[]>;
  /** Sources of model prices, one per gateway. Views look prices up in them with lazily loaded code. */
  priceSources: StoreApi<readonly PriceSource[]>;
  setStatuses: (statuses: readonly GatewayStatus[]) => void;
  /** Returns the status of a gateway; `undefined` if the server has not reported one with this name. */
  getStatus: (name?: string) => GatewayStatus | undefined;
  /** Returns the name, or `undefined` if it names the first gateway, so that each gateway has one key. */
  resolveName: (name: string | undefined) => string | undefined;
  /** Returns true if the server has reported its gateways and none has this name. */
  isUnknown: (name: string | undefined) => boolean;
  /** Returns the network functions of a gateway. */
  getClient: (name?: string) => Gateway;
  getServices: (name?: string) => GatewayServices;
  getQueue: (name?: string) => RunQueue;
  /** Checks the waiting requests again after a change of the user's limit. */
  recheckQueues: () => void;
  /** Returns the model from the most recent list of its gateway. */
  getListedModel: (choice: ModelChoice) => ModelRecord | undefined;
  setListedModels: (models: readonly ModelRecord[], name?: string) => void;
  /** Returns the key of the facts that are stored about a model (`buildModelKey`). */
  getModelKey: (choice: ModelChoice) => string;
  /**
   * Sends all requests to the demo gateway, whatever their setup names, or to the configured gateways again. Forgets
   * lists and signals.
   */
  setDemoMode: (isDemo: boolean) => void;
}

/** Returns a sentence about names of imported setups that no gateway of this server has. */
export function describeUnknownGateways(names: readonly string[]): string {
  const [name = ''] = names;
  const subject = names.length === 1 ? `gateway named ${name}` : `gateways named ${formatList([...names])}`;
  return `This server has no ${subject}: nothing is sent there. Choose other models.`;
}

/** `createServices` creates the state of one gateway, which has no name if it is the first one. */
export function createGateways(
  server: ServerClient,
  createServices: (name: string | undefined) => GatewayServices,
): Gateways {
  const statuses = createStore<readonly GatewayStatus[]>(() => []);
  const priceSources = createStore<readonly PriceSource[]>(() => []);
  let reportedStatuses: readonly GatewayStatus[] = [];
  const servicesByName = new Map<string, GatewayServices>();
  const clients = new Map<string, Gateway>();

  const resolveName = (name: string | undefined) =>
    name === undefined || server.isDemoMode() || statuses.getState()[0]?.name === name ? undefined : name;

  const getServices = (name?: string): GatewayServices => {
    const key = resolveName(name) ?? '';
    const services = servicesByName.get(key) ?? createServices(key === '' ? undefined : key);
    servicesByName.set(key, services);
    return services;
  };

  const recheckQueues = () => {
    for (const { queue } of servicesByName.values()) queue.recheck();
  };

  const updatePriceSources = () => {
    const reportedGateways = statuses.getState();
    const sources = (reportedGateways.length > 0 ? reportedGateways : [{ name: 'default', prices: [] }]).map(
      ({ name, prices = [] }, index): PriceSource => ({
        gateway: name,
        models: getServices(index === 0 ? undefined : name).models,
        ownPrices: prices,
      }),
    );
    priceSources.setState(sources, true);
  };

  const updateStatuses = () => {
    statuses.setState(
      server.isDemoMode() ? replaceWithDemoGateway(reportedStatuses) : reportedStatuses,
      true,
    );
    updatePriceSources();
    recheckQueues();
  };

  const getStatus = (name?: string) => {
    const otherName = resolveName(name);
    const all = statuses.getState();
    return otherName === undefined ? all[0] : all.find((status) => status.name === otherName);
  };

  return {
    statuses,
    priceSources,
    setStatuses: (reported) => {
      reportedStatuses = reported;
      updateStatuses();
    },
    getStatus,
    resolveName,
    isUnknown: (name) => statuses.getState().length > 0 && getStatus(name) === undefined,
    getClient: (name) => {
      if (name === undefined || name === onlyGatewayName) return server;
      const client = clients.get(name) ?? server.getNamed(name);
      clients.set(name, client);
      return client;
    },
    getServices,
    getQueue: (name) => getServices(name).queue,
    recheckQueues,
    getListedModel: ({ model, gateway }) => findModel(getServices(gateway).models, model),
    setListedModels: (models, name) => {
      getServices(name).models = models;
      updatePriceSources();
    },
    getModelKey: ({ model, gateway }) => buildModelKey(model, resolveName(gateway)),
    setDemoMode: (isDemo) => {
      server.setDemoMode(isDemo);
      for (const services of servicesByName.values()) {
        services.signals.reset();
        services.models = [];
      }
      updateStatuses();
    },
  };
}
