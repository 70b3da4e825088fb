/** A server as a function: the common interface of the demo gateway, HTTP upstream and proxy. */
export type WebHandler = (request: Request) => Promise<Response>;

/** Information from the socket that received a request. */
export interface RequestContext {
  remoteAddress: string;
  /** Called when the request goes to the gateway. */
  onSent?: () => void;
}

/** Like WebHandler, but returns undefined for paths of other handlers. */
export type RouteHandler = (request: Request, context: RequestContext) => Promise<Response | undefined>;
