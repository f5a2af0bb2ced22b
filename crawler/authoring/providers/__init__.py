"""The model SDKs, each behind ``contracts.ports.ModelProvider``. Imported when first asked."""
