import { expect, it } from 'vitest'
import { conferenceLink } from '#shared/domain/conference'

it('the link to join is that of the video call, or the first on the web, and never another scheme', () => {
  const points = [
    { entryPointType: 'phone', uri: 'tel:+49301234' },
    { entryPointType: 'more', uri: 'https://meet.example/more' },
    { entryPointType: 'video', uri: 'https://meet.example/1' },
  ]
  expect(conferenceLink({ conferenceData: { entryPoints: points } })).toBe('https://meet.example/1')
  expect(conferenceLink({ conferenceData: { entryPoints: points.slice(0, 2) } })).toBe('https://meet.example/more')
  expect(conferenceLink({ videoLink: 'https://meet.example/2' })).toBe('https://meet.example/2')
  expect(conferenceLink({ videoLink: 'file:///etc/passwd' })).toBeNull()
  expect(conferenceLink({ conferenceData: { entryPoints: 'x' } })).toBeNull()
  expect(conferenceLink({})).toBeNull()
})
