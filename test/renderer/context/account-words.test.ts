import { describe, expect, it } from 'vitest'
import { concernWords, initialsOf, signInWords, typedAddress } from '../../../src-renderer/context/account-words'
import { someAccount } from '../../helpers/account'

describe('an address as it is typed', () => {
  it.each([
    ['services.example.com', 'https://services.example.com'],
    ['localhost:8080', 'http://localhost:8080'],
    ['127.0.0.1:8080/base', 'http://127.0.0.1:8080/base'],
    ['[::1]:80', 'http://[::1]:80'],
    ['localhost.example.com', 'https://localhost.example.com'],
    [' http://services.example.com ', 'http://services.example.com'],
    ['', ''],
  ])('%j is asked at %j', (typed, asked) => expect(typedAddress(typed)).toBe(asked))
})

describe('what an account says about itself', () => {
  const service = someAccount({ kind: 'service', kept: 'memory', email: 'mina@flightplan.example', label: 'Agency' })
  const calm = { signingIn: false, closed: false, needsYou: 0, unsent: 0 }

  it('is nothing while all is well, and otherwise the gravest first', () => {
    expect(concernWords(service, calm)).toBe('')
    expect(concernWords({ ...service, signIn: 'expired' }, { ...calm, unsent: 2 })).toBe(
      'Session expired · 2 pending changes',
    )
    expect(concernWords(service, { ...calm, needsYou: 1, unsent: 4 })).toBe('1 needs attention')
    expect(concernWords({ ...service, signIn: 'out' }, { ...calm, signingIn: true })).toBe('Waiting for your browser')
    expect(concernWords(service, { ...calm, closed: true })).toBe('Couldn’t open')
  })

  it('tells one that was never signed in from one that was signed out', () => {
    expect(signInWords({ ...service, signIn: 'out' })).toBe('Signed out')
    expect(signInWords({ ...service, signIn: 'out', email: '' })).toBe('Not signed in yet')
    expect(signInWords(service)).toBe('Signed in until you quit')
  })

  it('has one or two letters', () => {
    expect(initialsOf({ label: 'North Agency', email: '' })).toBe('NA')
    expect(initialsOf({ label: '', email: 'mina.park@flightplan.example' })).toBe('MP')
    expect(initialsOf({ label: '', email: '' })).toBe('?')
  })
})
