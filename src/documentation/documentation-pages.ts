/** Lists the documentation for the help and the demo models. */
import bench from './bench.md?raw';
import configuration from './configuration.md?raw';
import demoModels from './demo-models.md?raw';
import features from './features.md?raw';
import gatewayApi from './gateway-api.md?raw';
import parameters from './parameters.md?raw';
import trials from './trials.md?raw';
import troubleshooting from './troubleshooting.md?raw';

/** Markdown of all pages in reading order. */
export const documentationPages: readonly string[] = [
  bench,
  features,
  trials,
  parameters,
  gatewayApi,
  demoModels,
  configuration,
  troubleshooting,
];
