/** A user's session with the portal, over HTTP as in a browser. */

export interface SignedIn {
  /** For a `Cookie` header. */
  readonly cookies: string
  /** Throws unless the response is a success. `Answer` is the caller's type for it. */
  call<Answer>(method: string, path: string, body?: unknown): Promise<Answer>
}

export async function signIn(url: string, email: string, password: string): Promise<SignedIn> {
  const jar = new Map<string, string>()
  const call = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        cookie: write(jar),
        'x-csrf-token': jar.get('CSRF-TOKEN') ?? '',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]!.split('=', 2)
      jar.set(name, value)
    }
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as Answer
  }
  await call('POST', '/api/session', { email, password })
  // The token of the anonymous session is invalid in this one.
  await call('GET', '/api/user')
  return {
    get cookies() {
      return write(jar)
    },
    call,
  }
}

const write = (jar: ReadonlyMap<string, string>): string =>
  [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
