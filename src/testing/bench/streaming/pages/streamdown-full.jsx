import { code } from '@streamdown/code';
import { math } from '@streamdown/math';
import { Streamdown } from 'streamdown';

import 'katex/dist/katex.min.css';
import { runReactPage } from './react-page.jsx';

const plugins = { code, math };

runReactPage((text, live) => (
  <Streamdown isAnimating={live} plugins={plugins}>
    {text}
  </Streamdown>
));
