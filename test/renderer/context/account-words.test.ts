import { describe, expect, it } from 'vitest'
import {
  concernWords,
  initialsOf,
  signedOutWords,
  signInWords,
  typedAddress,
} from '../../../src-renderer/context/account-words'
import { someAccount } from '../../helpers/account'

describe('a typed address', () => {
  it.each([
    ['services.example.com', 'https://services.example.com'],
    ['localhost:8080', 'http://localhost:8080'],
    ['127.0.0.1:8080/base', 'http://127.0.0.1:8080/base'],
    ['[::1]:80', 'http://[::1]:80'],
    ['localhost.example.com', 'https://localhost.example.com'],
    [' http://services.example.com ', 'http://services.example.com'],
    ['', ''],
  ])('%j resolves to %j', (typed, asked) => expect(typedAddress(typed)).toBe(asked))
})

describe('account status text', () => {
  const service = someAccount({ kind: 'service', kept: 'memory', email: 'mina@flightplan.example', label: 'Agency' })
  const calm = { signingIn: false, closed: false, needsYou: 0, unsent: 0, drafts: 0 }

  it('is empty when all is well, and otherwise names the most serious problem', () => {
    expect(concernWords(service, calm)).toBe('')
    expect(concernWords({ ...service, signIn: 'expired' }, { ...calm, unsent: 2 })).toBe(
      'Session expired · 2 pending changes',
    )
    expect(concernWords(service, { ...calm, unsent: 3, drafts: 1 })).toBe('2 pending changes · 1 unposted draft')
    expect(concernWords(service, { ...calm, unsent: 2, drafts: 2 })).toBe('2 unposted drafts')
    expect(concernWords(service, { ...calm, needsYou: 1, unsent: 4 })).toBe('1 change needs attention')
    expect(concernWords({ ...service, signIn: 'out' }, { ...calm, signingIn: true })).toBe('Waiting for your browser')
    expect(concernWords(service, { ...calm, closed: true })).toBe('Couldn’t open')
  })

  it.each([
    [0, 0, ''],
    [1, 0, '1 pending change. Sign in again to send it'],
    [3, 0, '3 pending changes. Sign in again to send them'],
    [0, 2, '2 unposted drafts'],
    [3, 1, '1 unposted draft · 3 pending changes. Sign in again to send them'],
  ])('offers to send pending changes, but no drafts, after signing in (%i, %i)', (pending, drafts, expected) =>
    expect(signedOutWords(pending, drafts)).toBe(expected),
  )

  it('distinguishes never signed in from signed out', () => {
    expect(signInWords({ ...service, signIn: 'out' })).toBe('Signed out')
    expect(signInWords({ ...service, signIn: 'out', email: '' })).toBe('Not signed in yet')
    expect(signInWords(service)).toBe('Signed in until you quit')
  })

  it('account initials have one or two letters', () => {
    expect(initialsOf({ label: 'North Agency', email: '' })).toBe('NA')
    expect(initialsOf({ label: '', email: 'mina.park@flightplan.example' })).toBe('MP')
    expect(initialsOf({ label: '', email: '' })).toBe('?')
  })
})
